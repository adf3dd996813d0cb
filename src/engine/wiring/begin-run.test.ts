import { describe, expect, it } from 'vitest';
import { createTemporaryDirectory } from '../../../test/support/temporary-directory.ts';
import type { RunId } from '../../shared/id.ts';
import type { TaskContractInput } from '../../shared/task-contract.ts';
import type { Verification } from '../../shared/verification.ts';
import { journalWorkerUrl } from '../journal/journal-worker-url.ts';
import { openJournal } from '../journal/open-journal.ts';
import { createDispatcher } from '../net/dispatcher.ts';
import { createPageFetcher } from '../net/fetch-page.ts';
import type { ModelProvider } from '../provider/model-provider.ts';
import { foldAll } from '../run/recorder.ts';
import type { Backend } from '../sandbox/launch.ts';
import { createSandbox } from '../sandbox/select-sandbox.ts';
import { resumeRun, startRun } from './begin-run.ts';
import type { EngineParts } from './engine-parts.ts';

const command: Verification = { kind: 'command', argv: ['true'], expectExit: 0 };
const contains: Verification = { kind: 'fileContains', file: 'a', text: 'a' };

describe('a run on a machine where nothing encloses a command', () => {
  it.each<[string, Verification]>([
    ['a command', command],
    ['tests', { kind: 'nodeTest', files: ['a.js'], testSource: 'test' }],
    ['a command among other things', { kind: 'all', of: [contains, command] }],
  ])('is not begun when its check runs %s', async (_, verification) => {
    await using engine = openEngine();
    await expect(engine.start(verification)).rejects.toMatchObject({
      code: 'sandbox-unavailable',
      message: expect.stringMatching(/^The check of this contract runs a command, and .*bwrap: it is missing/),
      remedy: expect.stringMatching(
        /^Install it: apt install -y it\n.*io-studio doctor.*--minimum-isolation caps-only/,
      ),
    });
    expect([engine.seen.asked, await engine.listRuns()]).toEqual([0, []]);
  });

  it('is begun when its check only reads, and its model is told of no command', async () => {
    await using engine = openEngine();
    const handle = await engine.start(contains);
    await handle.result;
    expect([engine.seen.asked > 0, engine.tools.includes('write_file'), engine.tools.includes('shell')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('is not gone on with where it was begun on one that could', async () => {
    await using engine = openEngine();
    engine.machine.isEnclosing = true;
    const begun = await engine.start(command);
    begun.interrupt('SIGTERM');
    await begun.result;
    engine.machine.isEnclosing = false;
    const asked = engine.seen.asked;
    await expect(engine.resume(begun.runId)).rejects.toMatchObject({ code: 'sandbox-unavailable' });
    expect(engine.seen.asked).toBe(asked);
  });
});

/** What a run is begun with, its model a script that ends its turn at once, and its machine one without any enclosure. */
function openEngine() {
  const place = createTemporaryDirectory();
  const [home, workspace] = [place.make('home'), place.make('workspace')];
  const opening = openJournal({ home, workerUrl: journalWorkerUrl() });
  const dispatcher = createDispatcher({ environment: {} });
  const machine = { isEnclosing: false };
  const tools: string[] = [];
  const seen = { asked: 0 };
  const provider: ModelProvider = {
    choice: { name: 'scripted', wire: 'custom', baseUrl: null, model: 'script' },
    measure: () => 0,
    complete: async (request) => {
      seen.asked++;
      tools.push(...request.tools.map(({ name }) => name));
      const usage = { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0 };
      const message = { text: 'Done.', calls: [] };
      return { kind: 'reply', reply: { message, finish: 'stop', usage, firstEventMs: 1, durationMs: 1 } };
    },
    close: async () => undefined,
  };
  const openSandbox: EngineParts['openSandbox'] = () => ({
    minimum: 'isolated',
    sandbox: createSandbox({
      minimum: 'isolated',
      trials: {
        candidates: [{ id: 'bwrap', backend, version: () => null }],
        attempt: async () =>
          machine.isEnclosing
            ? { kind: 'works', backend }
            : { kind: 'fails', reason: 'it is missing', advice: { text: 'Install it', command: 'apt install -y it' } },
        examine: async ({ id }) => ({ id, ok: false, version: null, reason: 'it is missing', advice: null }),
      },
    }),
  });
  const parts: EngineParts = {
    home,
    environment: {},
    open: () => opening,
    dispatcher,
    fetchPage: createPageFetcher({ environment: {} }),
    openSandbox,
    ownProvider: provider,
    ownReviewer: null,
  };
  const contract = (verification: Verification): TaskContractInput => ({ goal: 'Do it.', workspace, verification });
  return {
    machine,
    seen,
    tools,
    start: (verification: Verification) => startRun(parts, { contract: contract(verification) }),
    async resume(runId: RunId) {
      return resumeRun(parts, foldAll((await opening).reader, { runId }, null, 0), {});
    },
    listRuns: async () => (await opening).reader.listRuns(),
    async [Symbol.asyncDispose]() {
      await (await opening).close();
      await dispatcher.close();
      place[Symbol.dispose]();
    },
  };
}

/** Nothing of these tests comes to run a command. */
const backend: Backend = {
  isolation: 'bwrap',
  prepare: async () => ({ kind: 'not-started', stage: 'launcher', reason: 'nobody asked' }),
};
