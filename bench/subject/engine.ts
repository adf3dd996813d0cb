// The engine as a measured process: one run to its end, and the others beside it for as long as that takes.
import { strict as assert } from 'node:assert';
import { createEngine, type RunHandle } from '../../src/engine/index.ts';
import { readSubjectSettings } from './subject-settings.ts';

const { url, task, workspace, home, others } = readSubjectSettings();
const environment = {
  OPENAI_BASE_URL: url,
  OPENAI_MODEL: 'scripted',
  OPENAI_API_KEY: 'benchmark-key-1',
  OPENROUTER_BASE_URL: others.url,
  OPENROUTER_MODEL: 'scripted',
  OPENROUTER_API_KEY: 'benchmark-key-2',
};
const engine = createEngine({ home, environment });
try {
  for (const place of others.workspaces) await start('openrouter', others.task, place);
  const { runId, result } = await start('openai', task, workspace);
  const { outcome } = await result;
  assert.deepEqual(outcome, { kind: 'finished', checked: false });
  const events = await engine.readEvents(runId);
  assert.ok(!events.some(({ type }) => type === 'context-compact'), 'the context was made smaller on the way');
} finally {
  await engine.close();
}

/** The window is so large that nothing leaves the context, as nothing leaves the floor's. */
function start(provider: string, goal: string, place: string): Promise<RunHandle> {
  const contract = { goal, workspace: place, budgets: { steps: null } };
  return engine.startRun({ contract, provider, approve: 'all', contextTokens: 100_000_000 });
}
