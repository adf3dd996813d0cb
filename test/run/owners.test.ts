// Several processes that meet on one store: who drives a run, who only reads it, and what becomes of it when its driver is
// killed, suspended, or far away.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JournalEvent, RunId } from '../../src/engine/index.ts';
import { createEngine } from '../../src/engine/index.ts';
import { toTag } from '../../src/engine/process/owner-tag.ts';
import { readProcessIdentity, readProcessState } from '../../src/engine/process/process-identity.ts';
import { changeStore } from '../support/change-store.ts';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { parseLines, runCli, startCli } from '../support/run-cli.ts';
import type { Script, ScriptedReply } from '../support/scripted-model-script.ts';
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const writes = (path: string): ScriptedReply => ({
  calls: [{ tool: 'write_file', arguments: { path, content: 'written\n' } }],
});

/** The first request of a place in the conversation is left without an answer for so long that nobody waits for it. */
const stallsAt =
  (place: number, replies: readonly ScriptedReply[]): Script =>
  ({ position, repeats }) =>
    position === place && repeats === 0 ? { fault: { kind: 'stall-after-headers' } } : replies[position];

const start = (scenario: Scenario) =>
  startCli(['run', '--contract', '-', '--approve', 'all', '--json', '--home', scenario.home], {
    environment: scenario.environment,
    input: JSON.stringify(scenario.contract({ budgets: { steps: 9 } })),
  });

const call = (scenario: Scenario, ...args: readonly string[]) =>
  runCli([...args, '--home', scenario.home, '--json'], { environment: scenario.environment });

async function findRunId({ engine }: Scenario): Promise<RunId> {
  const [run] = await engine.listRuns();
  if (run === undefined) throw new Error('The run is not in the journal');
  return run.runId;
}

interface LeftRunning extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly ended: Promise<unknown>;
}

/** Kills a driver at its second request; the process is one that it had written down as its own, below another TMPDIR. */
async function leaveRunning(scenario: Scenario, place: TemporaryDirectory): Promise<LeftRunning> {
  const temporary = place.make('temporary');
  await using cli = startCli(['run', '--contract', '-', '--approve', 'all', '--home', scenario.home], {
    environment: { ...scenario.environment, TMPDIR: temporary },
    input: JSON.stringify(scenario.contract()),
  });
  await scenario.server.until((requests) => requests.length >= 2);
  const startTime = readProcessState(cli.pid)?.startTime ?? '';
  const left = spawn('/bin/sleep', ['60'], { stdio: 'ignore' });
  const ended = once(left, 'exit');
  const lines = [
    { isolation: 'none', uid: null, mark: null, controlGroup: null },
    { pid: left.pid, startTime: readProcessState(left.pid ?? 0)?.startTime },
  ];
  const tag = toTag({ ...readProcessIdentity(), pid: cli.pid, startTime });
  const record = join('temporary', `io-studio-${process.geteuid?.()}`, `${tag}.1.json`);
  place.write(record, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  cli.kill('SIGKILL');
  await cli.end;
  const dispose = async () => {
    left.kill('SIGKILL');
    await ended;
  };
  return { process: left, ended, [Symbol.asyncDispose]: dispose };
}

const typesOf = (events: readonly JournalEvent[]) => events.map(({ type }) => type);

/** As if another machine had written it: nothing about its process can be told here. */
const elsewhere = "update lease set machine = 'far', boot = 'away', liveness = '' where released_at is null";

describe('eight processes that start runs on a store that is not there yet', () => {
  it('all complete with a result', async () => {
    await using scenario = await openScenario([writes('a.txt'), { text: 'Done.' }]);
    const home = join(scenario.home, 'new');
    const ends = await Promise.all(
      Array.from({ length: 8 }, (_, place) => {
        const workspace = join(scenario.workspace, String(place));
        mkdirSync(workspace);
        const args = [
          'run',
          '--goal',
          'Do it.',
          '--workspace',
          workspace,
          '--approve',
          'all',
          '--json',
          '--home',
          home,
        ];
        return runCli(args, { environment: scenario.environment });
      }),
    );
    const results = ends.map(({ exitCode, stdout }) => ({ exitCode, result: parseLines(stdout).at(-1) }));
    expect(results).toEqual(
      results.map(() => ({
        exitCode: 0,
        result: expect.objectContaining({ type: 'result', outcome: { kind: 'finished', checked: false } }),
      })),
    );
    const engine = createEngine({ home, environment: {} });
    const runs = await engine.listRuns();
    await engine.close();
    const [wanted, found] = [results.map(({ result }) => result?.runId), runs.map(({ runId }) => runId)];
    expect(found.toSorted()).toEqual(wanted.toSorted());
    expect(runs.map(({ owner }) => owner)).toEqual(runs.map(() => null));
  }, 180_000);
});

describe('a run whose driver lives in another process', () => {
  it('is followed from here event by event to its end, also when another process goes on with it', async () => {
    await using scenario = await openScenario(stallsAt(1, [writes('a.txt'), { text: 'Done.' }]));
    await using cli = start(scenario);
    await scenario.server.until((requests) => requests.length >= 2);
    const runId = await findRunId(scenario);
    const listOwners = async () => (await scenario.engine.listRuns()).map(({ owner }) => owner);
    const during = await listOwners();
    await using follower = startCli(['trace', runId, '--follow', '--json', '--home', scenario.home]);
    await follower.untilLine((line) => line.includes('"type":"model-start"') && line.includes('"step":2'));
    cli.kill('SIGKILL');
    await cli.end;
    const between = await listOwners();
    const resumed = await call(scenario, 'resume', runId);
    const followed = await follower.end;
    const events = await scenario.engine.readEvents(runId);
    expect([during, between, await listOwners()]).toEqual([
      [{ pid: cli.pid, alive: true, certain: true }],
      [{ pid: cli.pid, alive: false, certain: true }],
      [null],
    ]);
    expect([resumed.exitCode, followed.exitCode, followed.stderr]).toEqual([0, 0, '']);
    expect(parseLines(followed.stdout)).toEqual(JSON.parse(JSON.stringify(events)));
    expect((await scenario.engine.readRun(runId)).outcome).toEqual({ kind: 'finished', checked: false });
  });

  it('is neither resumed nor taken over from here while that process is seen to live', async () => {
    await using scenario = await openScenario(stallsAt(0, [{ text: 'Done.' }]));
    await using cli = start(scenario);
    await scenario.server.until((requests) => requests.length >= 1);
    const runId = await findRunId(scenario);
    cli.kill('SIGSTOP');
    const ends = [await call(scenario, 'resume', runId), await call(scenario, 'takeover', runId)];
    expect(ends.map(({ exitCode, stdout }) => [exitCode, parseLines(stdout).at(-1)?.error])).toEqual(
      ends.map(() => [
        2,
        expect.objectContaining({
          code: 'run-owned',
          message: expect.stringContaining(`process ${cli.pid} drives it`),
        }),
      ]),
    );
    expect(typesOf(await scenario.engine.readEvents(runId))).toEqual(['run-start', 'model-start']);
  });

  it('is taken up at once when that process is killed', async () => {
    await using scenario = await openScenario(stallsAt(1, [writes('a.txt'), { text: 'Done.' }]));
    await using cli = start(scenario);
    await scenario.server.until((requests) => requests.length >= 2);
    cli.kill('SIGKILL');
    await cli.end;
    const runId = await findRunId(scenario);
    const before = (await scenario.engine.listRuns()).map(({ owner }) => owner);
    const startedMs = performance.now();
    const handle = await scenario.engine.resumeRun(runId);
    console.log(`taken over in ${Math.round(performance.now() - startedMs)} ms`);
    const { outcome } = await handle.result;
    expect([before, outcome]).toEqual([
      [{ pid: cli.pid, alive: false, certain: true }],
      { kind: 'finished', checked: false },
    ]);
  });
});

describe('what a killed driver has left running', () => {
  it('is ended before another driver does anything, also where it was written down below another TMPDIR', async () => {
    await using scenario = await openScenario(stallsAt(1, [writes('a.txt'), { text: 'Done.' }]));
    using place = createTemporaryDirectory();
    await using left = await leaveRunning(scenario, place);
    const requests = left.ended.then(() => scenario.server.requests.length);
    expect((await call(scenario, 'resume', await findRunId(scenario))).exitCode).toBe(0);
    expect([await requests, left.process.signalCode]).toEqual([2, 'SIGKILL']);
  });
});

describe('what a driver has left running that was killed before its home was copied', () => {
  it('is ended by nobody who works on the copy', async () => {
    await using scenario = await openScenario(stallsAt(1, [writes('a.txt'), { text: 'Done.' }]));
    using place = createTemporaryDirectory();
    await using left = await leaveRunning(scenario, place);
    const runId = await findRunId(scenario);
    const copy = join(scenario.home, 'copy');
    expect((await call(scenario, 'store', 'backup', join(scenario.home, 'copied.db'))).exitCode).toBe(0);
    mkdirSync(copy);
    renameSync(join(scenario.home, 'copied.db'), join(copy, 'journal.db'));
    for (const command of ['takeover', 'resume', 'rewind']) {
      const { exitCode, stdout } = await runCli([command, runId, '--home', copy, '--json'], {
        environment: scenario.environment,
      });
      expect([command, exitCode, parseLines(stdout).at(-1)?.error]).toMatchObject([
        command,
        8,
        { code: 'store-copied' },
      ]);
    }
    expect(left.process.signalCode).toBe(null);
    expect((await call(scenario, 'takeover', runId)).exitCode).toBe(0);
    await left.ended;
    expect(left.process.signalCode).toBe('SIGKILL');
  });
});

describe('a run whose driver cannot be seen from here', () => {
  it('is not presumed free; taken over on a person’s word, its old driver does nothing more when it wakes up', async () => {
    const script: Script = ({ position, repeats }) => {
      if (position === 1) return repeats === 0 ? { ...writes('old.txt'), delayMs: 5000 } : writes('new.txt');
      return position === 0 ? writes('a.txt') : { text: 'Done.' };
    };
    await using scenario = await openScenario(script);
    await using cli = start(scenario);
    await scenario.server.until((requests) => requests.length >= 2);
    cli.kill('SIGSTOP');
    const runId = await findRunId(scenario);
    changeStore(scenario.home, elsewhere);
    const listed = (await scenario.engine.listRuns()).map(({ owner }) => owner);
    expect(listed).toEqual([{ pid: cli.pid, alive: true, certain: false }]);
    const refused = await call(scenario, 'resume', runId);
    expect([refused.exitCode, parseLines(refused.stdout).at(-1)?.error]).toEqual([
      2,
      {
        code: 'run-owned',
        message: `Run ${runId} is being driven by another process: its owner is on another machine.`,
        remedy: expect.stringContaining(`io-studio takeover ${runId}`),
      },
    ]);
    const taken = await call(scenario, 'takeover', runId);
    expect(parseLines(taken.stdout)).toEqual([{ runId, from: { machine: 'far', pid: cli.pid } }]);
    const resumed = await call(scenario, 'resume', runId);
    expect(resumed.exitCode).toBe(0);
    const [before, requests] = [await scenario.engine.readEvents(runId), scenario.server.requests.length];
    expect(before.filter(({ type }) => type === 'run-takeover' || type === 'run-resume')).toMatchObject([
      {
        type: 'run-takeover',
        actor: expect.stringMatching(/^person:.+@process$/),
        from: { machine: 'far', pid: cli.pid },
        because: 'its owner is on another machine',
      },
      { type: 'run-resume' },
    ]);
    cli.kill('SIGCONT');
    const woken = await cli.end;
    expect([woken.exitCode, parseLines(woken.stdout).at(-1)?.error]).toMatchObject([8, { code: 'lease-lost' }]);
    expect(await scenario.engine.readEvents(runId)).toEqual(before);
    expect(scenario.server.requests.length).toBe(requests);
    expect(scenario.read('new.txt')).toBe('written\n');
    expect(() => scenario.read('old.txt')).toThrow('ENOENT');
  });

  it('and has died in another container waits for a person to vouch that nothing it started is left there', async () => {
    await using scenario = await openScenario(stallsAt(1, [writes('a.txt'), { text: 'Done.' }]));
    await using cli = start(scenario);
    await scenario.server.until((requests) => requests.length >= 2);
    cli.kill('SIGKILL');
    await cli.end;
    const runId = await findRunId(scenario);
    changeStore(scenario.home, "update lease set pid_namespace = 'of a container'");
    const refused = await call(scenario, 'resume', runId);
    expect([refused.exitCode, parseLines(refused.stdout).at(-1)?.error]).toMatchObject([
      2,
      { code: 'processes-left', remedy: expect.stringContaining(`io-studio takeover ${runId}`) },
    ]);
    expect(scenario.server.requests.length).toBe(2);
    expect((await call(scenario, 'takeover', runId)).exitCode).toBe(0);
    expect((await call(scenario, 'resume', runId)).exitCode).toBe(0);
  });

  it('that is already free is said to be free', async () => {
    await using scenario = await openScenario([{ text: 'Done.' }]);
    const { result } = await scenario.run();
    const taken = await call(scenario, 'takeover', result.runId);
    expect([taken.exitCode, parseLines(taken.stdout)]).toEqual([0, [{ runId: result.runId, from: null }]]);
  });
});

describe('a home', () => {
  it('that was copied can be read, and drives nothing until somebody says that it is the one now', async () => {
    await using scenario = await openScenario([writes('a.txt'), { text: 'Done.' }]);
    const { result } = await scenario.run({ budgets: { steps: 1 } }, { approve: 'all' });
    await scenario.engine.close();
    const copy = join(scenario.home, 'copy');
    mkdirSync(copy);
    copyFileSync(join(scenario.home, 'journal.db'), join(copy, 'journal.db'));
    const inCopy = (...args: readonly string[]) =>
      runCli([...args, '--home', copy, '--json'], { environment: scenario.environment });
    const [traced, resumed] = [await inCopy('trace', result.runId), await inCopy('resume', result.runId)];
    expect([traced.exitCode, resumed.exitCode, parseLines(resumed.stdout).at(-1)?.error]).toEqual([
      0,
      8,
      {
        code: 'store-copied',
        message: expect.stringContaining(join(copy, 'journal.db')),
        remedy: expect.stringContaining('io-studio store adopt-here'),
      },
    ]);
    const fresh = await inCopy('run', '--goal', 'Do it.', '--workspace', scenario.workspace);
    expect(fresh.exitCode).toBe(8);
    expect((await inCopy('store', 'adopt-here')).exitCode).toBe(0);
    expect(parseLines((await inCopy('resume', result.runId)).stdout).at(-1)).toMatchObject({
      outcome: { kind: 'budget', which: 'steps' },
    });
  });

  it('that was copied while a run was driven lets nobody take that run, whether its driver is seen or not', async () => {
    await using scenario = await openScenario(stallsAt(1, [writes('a.txt'), { text: 'Done.' }]));
    await using _cli = start(scenario);
    await scenario.server.until((requests) => requests.length >= 2);
    const runId = await findRunId(scenario);
    const copy = join(scenario.home, 'copy');
    mkdirSync(copy);
    expect((await call(scenario, 'store', 'backup', join(copy, 'journal.db'))).exitCode).toBe(0);
    const inCopy = async (...args: readonly string[]) => {
      const { exitCode, stdout } = await runCli([...args, '--home', copy, '--json'], {
        environment: scenario.environment,
      });
      return [exitCode, parseLines(stdout).at(-1)?.error];
    };
    expect(await inCopy('takeover', runId)).toMatchObject([2, { code: 'run-owned' }]);
    changeStore(copy, elsewhere);
    for (const command of ['takeover', 'resume', 'rewind']) {
      expect(await inCopy(command, runId)).toMatchObject([8, { code: 'store-copied' }]);
    }
  });

  it('that a program copies to other machines is refused before anything is written, unless that is allowed', async () => {
    await using scenario = await openScenario([{ text: 'Done.' }]);
    const home = join(scenario.home, 'Dropbox', 'io-studio');
    mkdirSync(join(scenario.home, 'Dropbox', '.dropbox.cache'), { recursive: true });
    const run = (...args: readonly string[]) =>
      runCli(['run', '--goal', 'Do it.', '--workspace', scenario.workspace, '--home', home, '--json', ...args], {
        environment: scenario.environment,
      });
    const refused = await run();
    expect([refused.exitCode, parseLines(refused.stdout).at(-1)?.error]).toEqual([
      8,
      {
        code: 'store-shared',
        message: expect.stringContaining('it is copied by Dropbox'),
        remedy: expect.stringContaining('--shared-home'),
      },
    ]);
    const allowed = await run('--shared-home');
    expect(allowed.exitCode).toBe(0);
    const { runId } = parseLines(allowed.stdout).at(-1) ?? {};
    const listed = await runCli(['runs', '--home', home, '--json']);
    expect(parseLines(listed.stdout)).toMatchObject([{ runId }]);
    const rewind = async (...args: readonly string[]) =>
      (await runCli(['rewind', String(runId), '--home', home, ...args])).exitCode;
    expect([await rewind('--dry-run'), await rewind(), await rewind('--shared-home')]).toEqual([0, 8, 0]);
  });

  it('that other machines can reach is neither forked nor adopted in, unless that is allowed', async () => {
    await using scenario = await openScenario([{ text: 'Done.' }]);
    const home = join(scenario.home, 'Dropbox', 'io-studio');
    mkdirSync(join(scenario.home, 'Dropbox', '.dropbox.cache'), { recursive: true });
    const allowed = { ...scenario.environment, IO_STUDIO_SHARED_HOME: 'allow' };
    const goal = ['run', '--goal', 'Do it.', '--workspace', scenario.workspace, '--home', home, '--json'];
    const { runId } = parseLines((await runCli(goal, { environment: allowed })).stdout).at(-1) ?? {};
    const fork = async (...args: readonly string[]) =>
      (await runCli(['fork', String(runId), '--here', '--home', home, ...args])).exitCode;
    expect([await fork(), await fork('--shared-home')]).toEqual([8, 0]);
    const [file, words] = [join(scenario.home, 'run.ioexport'), ['--home', home] as const];
    await runCli(['store', 'archive', String(runId), file, '--unfinished', ...words]);
    expect((await runCli(['store', 'import', file, ...words])).exitCode).toBe(0);
    const adopt = async (...args: readonly string[]) =>
      (await runCli(['store', 'adopt', String(runId), '--workspace', scenario.workspace, ...words, ...args])).exitCode;
    expect([await adopt(), await adopt('--shared-home')]).toEqual([8, 0]);
  });
});
