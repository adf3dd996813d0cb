// What people say while a model answers the driver hears behind the answer: what it does until then follows all the same.
import { expect, it } from 'vitest';
import type { Engine, ModelProvider } from '../../src/engine/index.ts';
import { openScenario } from '../support/open-scenario.ts';

it('a run that was cancelled while its model answered follows in a replay', async () => {
  await using scenario = await openScenario([], { files: { 'a.txt': 'one\n' } });
  const read = { id: 'c0', tool: 'read_file', arguments: '{"path":"a.txt"}' };
  const provider: ModelProvider = {
    choice: { name: 'own', wire: 'custom', baseUrl: null, model: 'own' },
    measure: () => 1000,
    async complete() {
      const [run] = await engine.listRuns();
      if (run !== undefined) await engine.cancelRun(run.runId, 'person:ada');
      const usage = { inputTokens: 10, outputTokens: 1, cachedInputTokens: 0 };
      const message = { text: '', calls: [read] };
      return { kind: 'reply', reply: { message, finish: 'calls', usage, firstEventMs: 0, durationMs: 0 } };
    },
    close: async () => undefined,
  };
  const engine: Engine = scenario.openEngine({ provider });
  const handle = await engine.startRun({ contract: scenario.contract(), approve: 'all' });
  expect((await handle.result).outcome.kind).toBe('cancelled');
  const types = (await engine.readEvents(handle.runId)).map(({ type }) => type);
  expect(types.slice(1, 5)).toEqual(['model-start', 'run-cancel', 'model-finish', 'act-judged']);
  expect((await engine.replayRun(handle.runId)).divergence).toBeNull();
});
