// This engine as a library, as it is built. It brings its own tools, so their share of a step is its own too: commands run in
// its sandbox.
import { join } from 'node:path';
import { closingWords } from '../model/script.ts';
import type { AgentTask, OpenEngine } from './engine.ts';

type Engine = ReturnType<typeof import('../../../src/engine/index.ts').createEngine>;

const built = join(import.meta.dirname, '../../../out/main/library.js');

export const open: OpenEngine = async ({ baseUrl, store }) => {
  if (store === null) throw new Error('This engine keeps a journal: give it a store.');
  const { createEngine }: typeof import('../../../src/engine/index.ts') = await import(built);
  const engine = createEngine({ home: store, environment: { OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: 'scripted' } });
  return {
    async run(task) {
      const { result } = await (task.begin === 'new' ? start(engine, task) : resume(engine, task));
      const { outcome } = await result;
      // Without a check a run is finished by the model's closing words, and by nothing else.
      return outcome.kind === 'finished' ? closingWords : JSON.stringify(outcome);
    },
    close: () => engine.close(),
  };
};

const settings = { provider: 'openai', approve: 'all' } as const;

const start = (engine: Engine, { prompt, workspace }: AgentTask) =>
  engine.startRun({ contract: { goal: prompt, workspace, budgets: { steps: null } }, ...settings });

async function resume(engine: Engine, { prompt }: AgentTask) {
  const run = (await engine.listRuns()).find(({ title }) => title === prompt);
  if (run === undefined) throw new Error(`There is no run "${prompt}" in ${engine.home}`);
  return engine.resumeRun(run.runId, settings);
}
