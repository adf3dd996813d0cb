// The engine with many agents, as it is built: one run whose root spawns them all in one reply, each as contained as any.
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { toFanTask } from '../support/model-script.ts';
import { readFanSettings, writePeak } from './fan-settings.ts';

const built = join(import.meta.dirname, '../../out/main/library.js');
const { createEngine }: typeof import('../../src/engine/index.ts') = await import(built);
const { url, agents, steps, workspace, home } = readFanSettings();
const environment = { OPENAI_BASE_URL: url, OPENAI_MODEL: 'scripted' };
const engine = createEngine({ home, environment });
try {
  const contract = {
    goal: toFanTask(agents, steps),
    workspace,
    containment: { total: agents + 1, concurrent: agents, depth: 1 },
  };
  const { runId, result } = await engine.startRun({ contract, approve: 'all', contextTokens: 100_000_000 });
  assert.deepEqual((await result).outcome, { kind: 'finished', checked: false });
  const { agents: all } = await engine.readRun(runId);
  const ends = Object.values(all).filter(({ ended }) => ended?.outcome.kind === 'finished');
  assert.equal(ends.length, agents);
} finally {
  await engine.close();
}
writePeak();
