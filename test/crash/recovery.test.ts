// What a person does about a call that a crash interrupted, at the command line: it waits, is shown, decided about once and
// done once, also when the engine is killed again in between.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunId } from '../../src/engine/index.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { parseLines, runCli } from '../support/run-cli.ts';
import { findTerminalObstacle, runInTerminal } from '../support/run-in-terminal.ts';
import { startWebServer, type WebServer } from '../support/web-server.ts';

interface Interrupted extends AsyncDisposable {
  readonly scenario: Scenario;
  readonly page: WebServer;
  /** Runs the command line on the scenario's home. */
  cli(args: readonly string[], environment?: Readonly<Record<string, string>>): ReturnType<typeof runCli>;
  readonly runId: RunId;
}

/** A run that was killed when its page had come, before that was in the journal. */
async function openInterrupted(): Promise<Interrupted> {
  await using opened = new AsyncDisposableStack();
  const page = opened.use(await startWebServer((_, response) => response.end('hello')));
  const url = `http://127.0.0.1:${page.port}/`;
  const call = { tool: 'fetch_url', arguments: { url } };
  const script = ({ position }: { position: number }) => (position === 0 ? { calls: [call] } : { text: 'Done.' });
  const scenario = opened.use(await openScenario(script));
  const rules = [{ act: 'net', effect: 'allow', pattern: '127.0.0.1' }];
  writeFileSync(join(scenario.home, 'policy.jsonc'), JSON.stringify({ layers: [{ name: 'own', rules }] }), {
    mode: 0o600,
  });
  const cli: Interrupted['cli'] = (args, environment = {}) =>
    runCli([...args, '--json', '--home', scenario.home], {
      environment: { ...scenario.environment, ...environment },
      input: JSON.stringify(scenario.contract()),
    });
  const { signal } = await cli(['run', '--contract', '-'], { IO_STUDIO_CRASH_POINT: 'after-act' });
  const [run] = await scenario.engine.listRuns();
  if (signal !== 'SIGKILL' || run === undefined) throw new Error('It was not killed');
  const resources = opened.move();
  return { scenario, page, cli, runId: run.runId, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

const obstacle = findTerminalObstacle();

const lastLine = ({ stdout }: { readonly stdout: string }) => parseLines(stdout).at(-1);

describe('a page that was being fetched when the engine was killed', () => {
  it('is not fetched again, and waits for a person who can say what came of it', async () => {
    await using interrupted = await openInterrupted();
    const { cli, runId, page, scenario } = interrupted;
    const request = `${runId}:root:1:0:recovery`;
    const waiting = await cli(['resume', runId]);
    expect([waiting.exitCode, lastLine(waiting)]).toMatchObject([
      3,
      { outcome: { kind: 'awaitingRecovery', calls: [request] } },
    ]);
    expect(lastLine(await cli(['recoveries']))).toMatchObject({ request, tool: 'fetch_url', answer: null });
    const refused = await cli(['recover', 'recovery', 'completed']);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--result')]);
    const decided = await cli(['recover', 'recovery', 'completed', '--result', 'it said hello']);
    expect([decided.exitCode, lastLine(decided)]).toEqual([0, { request, runId, decision: 'completed' }]);
    const second = await cli(['recover', request, 'abort']);
    expect([second.exitCode, second.stderr]).toEqual([2, expect.stringContaining('completed; that decision counts')]);
    const resumed = await cli(['resume', runId]);
    expect([resumed.exitCode, page.requests.length]).toEqual([0, 1]);
    expect(String(scenario.messages(-1).at(-1)?.content)).toMatch(/says that it was carried out.*it said hello/s);
    const trace = await scenario.engine.readTrace(runId);
    const told = trace.filter(({ type }) => type.startsWith('recovery')).map(({ summary }) => summary);
    expect(told).toEqual([
      expect.stringMatching(/^asks what became of fetch_url http/),
      expect.stringMatching(/^person:.*: completed$/),
    ]);
  });

  it.each(['after-commit:1', 'after-commit:2', 'before-act:1'])(
    'is fetched once more, and no more than that, when a person wants it and the engine is killed at %s',
    async (point) => {
      await using interrupted = await openInterrupted();
      const { cli, runId, page } = interrupted;
      await cli(['resume', runId]);
      expect((await cli(['recover', 'recovery', 'retry'])).exitCode).toBe(0);
      const killed = await cli(['resume', runId], { IO_STUDIO_CRASH_POINT: point });
      expect([killed.signal, page.requests.length]).toEqual(['SIGKILL', 1]);
      const resumed = await cli(['resume', runId]);
      if (resumed.exitCode === 3) {
        // It had been started again, as far as anybody can know: that is another question.
        expect(lastLine(resumed)).toMatchObject({ outcome: { calls: [`${runId}:root:1:0:recovery:2`] } });
        expect([point, page.requests.length]).toEqual(['before-act:1', 1]);
        return;
      }
      expect([resumed.exitCode, page.requests.length]).toEqual([0, 2]);
    },
    120_000,
  );

  it('is asked about no more after a rewind, and once more after that was undone and the run resumed', async () => {
    await using interrupted = await openInterrupted();
    const { cli, runId, page } = interrupted;
    await cli(['resume', runId]);
    const request = `${runId}:root:1:0:recovery`;
    expect(lastLine(await cli(['rewind', runId]))).toMatchObject({ cancelled: [request] });
    expect((await cli(['recoveries'])).stdout).toBe('');
    const late = await cli(['recover', request, 'abort']);
    expect([late.exitCode, late.stderr]).toEqual([2, expect.stringContaining('was taken back')]);
    expect((await cli(['rewind', runId, '--undo'])).exitCode).toBe(0);
    expect(lastLine(await cli(['runs']))).toMatchObject({ runId, outcome: null });
    expect((await cli(['resume', runId])).exitCode).toBe(3);
    const decided = await cli(['recover', `${request}:2`, 'completed', '--result', 'it said hello']);
    expect(decided.exitCode).toBe(0);
    expect([(await cli(['resume', runId])).exitCode, page.requests.length]).toEqual([0, 1]);
    const replayed = await cli(['replay', runId]);
    expect([replayed.exitCode, lastLine(replayed)]).toMatchObject([0, { divergence: null }]);
  });

  it('and was decided about and then taken back, is not said to have been decided', async () => {
    await using interrupted = await openInterrupted();
    const { cli, runId } = interrupted;
    await cli(['resume', runId]);
    const request = `${runId}:root:1:0:recovery`;
    expect((await cli(['recover', request, 'retry'])).exitCode).toBe(0);
    expect((await cli(['rewind', runId])).exitCode).toBe(0);
    const late = await cli(['recover', request, 'abort']);
    expect([late.exitCode, late.stderr]).toEqual([
      2,
      expect.stringMatching(/: retry\. That decision does not count, as its question was withdrawn/),
    ]);
  });

  it.skipIf(obstacle !== null)(
    'is asked about at the terminal that the run is resumed at, and goes on from there',
    async () => {
      await using interrupted = await openInterrupted();
      const { scenario, page, runId } = interrupted;
      const { home, workspace: directory, environment } = scenario;
      const entry = join(import.meta.dirname, '../../src/cli/index.ts');
      const line = `'${process.execPath}' '${entry}' resume ${runId} --home '${home}'`;
      await using run = runInTerminal(line, { directory, environment });
      await run.untilShown('[r]etry [c]ompleted [a]bort [d]efer: ');
      run.type('c\n');
      await run.untilShown('what it came to, for the model');
      run.type('it said hello\n');
      await run.untilShown('taken as carried out: ');
      await run.untilShown('FINISHED');
      expect([await run.exitCode, page.requests.length]).toEqual([0, 1]);
      expect(String(scenario.messages(-1).at(-1)?.content)).toMatch(/says that it was carried out.*it said hello/s);
    },
  );

  it('is told to the model where nobody attends the run', async () => {
    await using interrupted = await openInterrupted();
    const { cli, runId, page, scenario } = interrupted;
    expect((await cli(['resume', runId, '--recovery', 'tell-model'])).exitCode).toBe(0);
    expect([page.requests.length, String(scenario.messages(-1).at(-1)?.content)]).toEqual([
      1,
      expect.stringContaining('cannot be told'),
    ]);
  });
});
