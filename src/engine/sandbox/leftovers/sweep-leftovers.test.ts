import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toTag } from '../../process/owner-tag.ts';
import { type ProcessIdentity, readProcessIdentity, readProcessState } from '../../process/process-identity.ts';
import { treeVariable } from '../../process/process-index.ts';
import { readProcessTable } from '../../process/process-table.ts';
import { identityRange } from '../identity/identity-range.ts';
import { readRecord } from './record-sandbox.ts';
import { sweepLeftovers } from './sweep-leftovers.ts';

const isRoot = process.platform === 'linux' && process.geteuid?.() === 0;
const uid = process.geteuid?.() ?? 'user';
const self = readProcessIdentity();
const never = new AbortController().signal;
const nothing = { endedProcesses: 0, removedDirectories: 0, left: [] };

let temporary = '';
let base = '';
let locks = '';
const children: ChildProcess[] = [];
beforeEach(() => {
  temporary = realpathSync(mkdtempSync(join(tmpdir(), 'sweep-leftovers-')));
  base = join(temporary, `io-studio-${uid}`);
  locks = join(temporary, 'locks');
  chmodSync(temporary, 0o711);
  mkdirSync(base);
  mkdirSync(locks);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await sweepLeftovers(never, places());
  rmSync(temporary, { recursive: true, force: true });
});

const places = () => ({ bases: [base, locks], locks, controlGroups: null });

describe.runIf(process.platform === 'linux')('what a killed engine has left (needs Linux)', () => {
  it('is nothing where the places cannot be looked at', async () => {
    const none = join(temporary, 'none');
    expect(await sweepLeftovers(never, { bases: [none], locks: none, controlGroups: none })).toEqual(nothing);
  });

  it('is ended and removed, children that left their group and their parents too', async () => {
    const engine = await startEngine('own');
    await kill(engine);
    const running = countRunning(engine);
    const report = await sweepLeftovers(never, places());
    expect({ running, report, after: countRunning(engine), left: readdirSync(base) }).toEqual({
      running: 5,
      report: { endedProcesses: 5, removedDirectories: 1, left: [] },
      after: 0,
      left: [],
    });
  });

  it.runIf(isRoot)('is found by the user of the sandbox, whatever its children did (needs root)', async () => {
    const engine = await startEngine('of its own');
    await kill(engine);
    const running = countRunning(engine);
    const held = readdirSync(locks);
    const report = await sweepLeftovers(never, places());
    expect({
      running,
      held,
      report,
      after: countRunning(engine),
      left: [readdirSync(base), readdirSync(locks)],
    }).toEqual({
      running: 6,
      held: [String(engine.uid)],
      report: { endedProcesses: 6, removedDirectories: 1, left: [] },
      after: 0,
      left: [[], []],
    });
  });

  it('is left alone while its engine lives', async () => {
    const engine = await startEngine(isRoot ? 'of its own' : 'own');
    const names = [readdirSync(base), readdirSync(locks)];
    const report = await sweepLeftovers(never, places());
    expect({ report, running: countRunning(engine) }).toEqual({ report: nothing, running: isRoot ? 6 : 5 });
    expect([readdirSync(base), readdirSync(locks)]).toEqual(names);
    await kill(engine);
    await sweepLeftovers(never, places());
    expect(countRunning(engine)).toBe(0);
  });

  it('is cleared away once, by however many engines that start together', async () => {
    const engine = await startEngine(isRoot ? 'of its own' : 'own');
    await kill(engine);
    for (let number = 0; number < 20; number++)
      mkdirSync(join(base, `${deadTag()}.${number}/a/b`), { recursive: true });
    const reports = await Promise.all([1, 2, 3].map(() => sweepLeftovers(never, places())));
    expect(reports.map(({ left }) => left)).toEqual([[], [], []]);
    expect([countRunning(engine), readdirSync(base), readdirSync(locks)]).toEqual([0, [], []]);
  });
});

describe('a sweep', () => {
  it('removes what a dead engine has begun to write and never ended', async () => {
    writeFileSync(join(base, `${deadTag()}.1.json.new`), '{"isolation"');
    writeFileSync(join(base, `${deadTag()}.2.json`), '{"isolation"');
    mkdirSync(join(locks, `${deadTag()}.draft`));
    writeFileSync(join(locks, `${deadTag()}.draft`, deadTag()), '');
    expect(await sweepLeftovers(never, places())).toEqual({ ...nothing, removedDirectories: 1 });
    expect([readdirSync(base), readdirSync(locks)]).toEqual([[], []]);
  });

  it('kills no process that got the number of a recorded one (anthropics/claude-code#26658)', async () => {
    const bystander = startSleep();
    const state = readProcessState(bystander.pid);
    record(deadTag(), { processes: [{ pid: bystander.pid, startTime: `${state?.startTime}0` }] });
    expect(await sweepLeftovers(never, places())).toEqual(nothing);
    expect([isAlive(bystander), readdirSync(base)]).toEqual([true, []]);
  });

  it('kills nothing for an engine from before the restart of the machine, and removes its directories', async () => {
    const bystander = startSleep({ [treeVariable]: 'mark-from-before' });
    const startTime = readProcessState(bystander.pid)?.startTime ?? '';
    const tag = toTag({ ...self, bootId: 'before' });
    record(tag, { mark: 'mark-from-before', processes: [{ pid: bystander.pid, startTime }] });
    mkdirSync(join(base, `${tag}.directory`));
    expect(await sweepLeftovers(never, places())).toEqual({ ...nothing, removedDirectories: 1 });
    expect([isAlive(bystander), readdirSync(base)]).toEqual([true, []]);
  });

  it.each<[what: string, change: Partial<ProcessIdentity>]>([
    ['this engine', {}],
    ['an engine of another machine', { machineId: 'other', bootId: 'other' }],
    ['an engine in another pid namespace', { pidNamespace: 'other', pid: 4_000_000 }],
  ])('touches nothing of %s', async (_what, change) => {
    const bystander = startSleep();
    const startTime = readProcessState(bystander.pid)?.startTime ?? '';
    const tag = toTag({ ...self, ...change });
    record(tag, { processes: [{ pid: bystander.pid, startTime }] });
    mkdirSync(join(base, `${tag}.directory`));
    const names = readdirSync(base);
    expect(await sweepLeftovers(never, places())).toEqual(nothing);
    expect([isAlive(bystander), readdirSync(base)]).toEqual([true, names]);
  });

  it('touches nothing that no engine has named, and follows no link', async () => {
    const outside = join(temporary, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'kept'), '');
    mkdirSync(join(base, 'notes'));
    writeFileSync(join(base, '1-2.json'), '');
    symlinkSync(outside, join(base, `${deadTag()}.link`));
    mkdirSync(join(base, `${deadTag()}.directory`));
    symlinkSync(outside, join(base, `${deadTag()}.directory`, 'link'));
    expect(await sweepLeftovers(never, places())).toEqual({ ...nothing, removedDirectories: 1 });
    expect([readdirSync(outside), readdirSync(base).sort()]).toEqual([
      ['kept'],
      ['1-2.json', `${deadTag()}.link`, 'notes'].sort(),
    ]);
  });

  it.runIf(isRoot)('touches nothing that another user has put there (needs root)', async () => {
    chmodSync(base, 0o777);
    const planted = join(base, `${deadTag()}.directory`);
    spawnSync('/bin/mkdir', ['-p', planted], { uid: 60_111, gid: 60_111, cwd: '/' });
    const recordPath = join(base, `${deadTag()}.1.json`);
    const bystander = startSleep();
    const startTime = readProcessState(bystander.pid)?.startTime ?? '';
    const lines = [
      { isolation: 'none', uid: null, mark: null },
      { pid: bystander.pid, startTime },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    spawnSync('/bin/sh', ['-c', 'printf %s "$1" >"$0"', recordPath, text], { uid: 60_111, gid: 60_111, cwd: '/' });
    expect([lstatSync(planted).uid, readRecord(recordPath)?.processes.length]).toEqual([60_111, 1]);
    expect(await sweepLeftovers(never, places())).toEqual(nothing);
    expect([isAlive(bystander), existsSync(planted), existsSync(recordPath)]).toEqual([true, true, true]);
  });

  it('leaves the rest to the next one when it is told to stop', async () => {
    mkdirSync(join(base, `${deadTag()}.directory`));
    expect(await sweepLeftovers(AbortSignal.abort(), places())).toEqual(nothing);
    expect(await sweepLeftovers(never, places())).toEqual({ ...nothing, removedDirectories: 1 });
  });

  it('has nothing to do where no engine ever was', async () => {
    const missing = { bases: [join(temporary, 'missing')], locks: null, controlGroups: null };
    expect(await sweepLeftovers(never, missing)).toEqual(nothing);
  });
});

interface RunningEngine {
  readonly child: ChildProcess;
  /** What its sandbox's processes sleep for: how they are told from all others. */
  readonly seconds: string;
  readonly uid: number;
}

/** An engine in the middle of a run: a private directory, a record, and a shell whose children have gone their own ways. */
async function startEngine(user: 'own' | 'of its own'): Promise<RunningEngine> {
  const seconds = `${3000 + engines++}.${process.pid}`;
  const sandbox = join(import.meta.dirname, '..');
  const script = `
    import { takeIdentity } from '${sandbox}/identity/take-identity.ts';
    import { createPrivateDirectory } from '${sandbox}/private-directory.ts';
    import { recordSandbox } from '${sandbox}/leftovers/record-sandbox.ts';
    import { startChild } from '${sandbox}/../process/start-child.ts';
    const [locks, seconds, user] = process.argv.slice(1);
    const range = { first: ${identityRange.first}, last: ${identityRange.last} };
    const identity = user === 'own' ? null : await takeIdentity({ locks, ...range });
    const mark = user === 'own' ? 'mark-' + process.pid : null;
    const record = recordSandbox({ isolation: 'none', uid: identity?.uid ?? null, mark });
    const directory = await createPrivateDirectory(identity);
    // The last one has given up its mark: only a user of its own gives it away.
    const forgetful = user === 'own' ? '' : 'env -i setsid sleep ' + seconds + ' & ';
    const line = 'mkdir deep; (setsid sh -c "sleep ' + seconds + ' & sleep ' + seconds + '; :" &); ' + forgetful +
      '(sleep ' + seconds + ' &); exec sleep ' + seconds;
    const child = await startChild({
      argv: ['/bin/sh', '-c', line],
      directory: directory.path,
      environment: mark === null ? {} : { ${treeVariable}: mark },
      identity,
      descriptors: [],
    });
    record.addProcess(child.pid);
    console.log(identity?.uid ?? 0);
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, locks, seconds, user], {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = await once(child.stdout, 'data');
  const sleeping = user === 'own' ? 4 : 5;
  await expect.poll(() => countSleeping({ child, seconds }), { timeout: 10_000, interval: 20 }).toBe(sleeping);
  return { child, seconds, uid: Number(String(line)) };
}

async function kill({ child }: RunningEngine): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** How many of its sandbox's processes run. */
function countRunning({ child, seconds }: RunningEngine): number {
  return listCommandLines(child.pid).filter((line) => line.includes(seconds)).length;
}

/** Only those that have become what they will be. */
function countSleeping({ child, seconds }: Omit<RunningEngine, 'uid'>): number {
  return listCommandLines(child.pid).filter((line) => line === `sleep\0${seconds}\0`).length;
}

function listCommandLines(exceptPid: number | undefined): string[] {
  return readProcessTable().flatMap(({ pid }) => (pid === exceptPid ? [] : readCommandLine(pid)));
}

function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

/** The tag of an engine that has ended. */
function deadTag(): string {
  deadPid ??= spawnSync(process.execPath, ['--version']).pid;
  return toTag({ ...self, pid: deadPid });
}

let deadPid: number | undefined;
let engines = 0;

interface Recorded {
  readonly mark?: string;
  readonly processes: readonly { readonly pid: number; readonly startTime: string }[];
}

function record(tag: string, sandbox: Recorded): void {
  const text = JSON.stringify({ isolation: 'none', uid: null, mark: null, ...sandbox });
  writeFileSync(join(base, `${tag}.1.json`), text);
}

function startSleep(environment: Record<string, string> = {}): ChildProcess & { pid: number } {
  const child = spawn('/bin/sleep', ['60'], { env: environment, stdio: 'ignore' });
  children.push(child);
  const { pid } = child;
  if (pid === undefined) throw new Error('sleep could not be started');
  return Object.assign(child, { pid });
}

function isAlive(child: ChildProcess): boolean {
  return readProcessTable().some((row) => row.pid === child.pid && !row.ended);
}
