import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { treeVariable } from '../process/process-index.ts';
import { readProcessTable } from '../process/process-table.ts';
import { type ChildProgram, startChild } from '../process/start-child.ts';
import type { Begun, Launch, SandboxTree, StartedChild } from './launch.ts';
import { createPlainTree } from './plain-tree.ts';
import { defaultLimits, type SandboxLimits } from './sandbox.ts';
import { type Supervised, supervise } from './supervise.ts';

const hasProc = process.platform === 'linux';
const mebi = 1024 ** 2;

interface Watched {
  readonly launch: Launch;
  readonly mark: string;
  /** How often it was disposed of, and who of its tree ran then. */
  readonly disposals: number[][];
}

/** A launch of a shell line, without any backend. */
function createLaunch(line: string, changes: Partial<Launch> = {}, program: Partial<ChildProgram> = {}): Watched {
  const mark = randomUUID();
  const disposals: number[][] = [];
  const shell: ChildProgram = {
    argv: ['/bin/sh', '-c', line],
    environment: { PATH: '/usr/bin:/bin', [treeVariable]: mark },
    directory: '/',
    identity: null,
    descriptors: [],
  };
  const launch: Launch = {
    kind: 'launch',
    start: (input) => startChild({ ...shell, ...program }, input),
    bears: { uid: null, mark },
    keptByKernel: new Set(),
    begin: async (child) => begin(child, mark),
    readLeavings: async () => ({ kind: 'files', files: new Map() }),
    async [Symbol.asyncDispose]() {
      disposals.push(findMarked(mark));
    },
    ...changes,
  };
  return { launch, mark, disposals };
}

function begin(child: StartedChild, mark: string, changes: Partial<SandboxTree> = {}): Begun {
  return {
    kind: 'begun',
    tree: { ...createPlainTree({ child, mark, uid: null }), ...changes },
    toEnd: ({ code, signal }) => (code === null ? { kind: 'signal', signal: signal ?? '' } : { kind: 'exit', code }),
  };
}

function findMarked(mark: string): number[] {
  return readProcessTable()
    .filter((row) => !row.ended)
    .flatMap(({ pid }) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark) ? pid : [];
      } catch {
        return [];
      }
    });
}

const forever = new AbortController().signal;
const gone = [[]];

/** Runs it to its end; whatever that is, the launch has to be disposed of once, with nobody of it left. */
async function see(
  { launch, disposals }: Watched,
  limits: Partial<SandboxLimits> = {},
  signal = forever,
  patienceMs?: number,
): Promise<Supervised> {
  const result = await supervise(launch, { ...defaultLimits, wallMs: 20_000, ...limits }, signal, { patienceMs });
  expect(disposals).toEqual(gone);
  return result;
}

const run = (line: string, limits?: Partial<SandboxLimits>) => see(createLaunch(line), limits);

const nothing = { text: '', droppedBytes: 0 };
const seen = {
  stdout: nothing,
  stderr: nothing,
  durationMs: expect.any(Number),
  leavings: { kind: 'nothing' },
  survivors: 0,
};
const files = { kind: 'files', files: new Map() };
const polled = { enforcement: 'polled', atMs: expect.any(Number), observed: expect.any(Number) };

describe('what a command comes to', () => {
  it('says everything about one that ran', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toEqual({
      kind: 'exit',
      code: 3,
      ...seen,
      stdout: { text: 'out\n', droppedBytes: 0 },
      stderr: { text: 'err\n', droppedBytes: 0 },
      leavings: files,
    });
  });

  it('reports a kill that nobody here sent as the signal it was', async () => {
    expect(await run('kill -KILL $$')).toEqual({ kind: 'signal', signal: 'SIGKILL', ...seen, leavings: files });
  });

  it('takes from the launch how the command ended, and that it never did', async () => {
    const failure = { kind: 'not-started', stage: 'sandbox', reason: 'nothing was enclosed' } as const;
    const change = { begin: async (child: StartedChild) => ({ ...begin(child, ''), toEnd: () => failure }) };
    expect(await see(createLaunch('exit 1', change))).toEqual(failure);
  });

  it('reports a program that cannot be started', async () => {
    expect(await see(createLaunch('', {}, { argv: ['/nowhere/program'] }))).toEqual({
      kind: 'not-started',
      stage: 'launcher',
      reason: 'spawn /nowhere/program ENOENT',
    });
  });

  it('has output that is no text, and an argument of 64 KB', async () => {
    const word = 'x'.repeat(64 * 1024);
    const argv = ['/bin/sh', '-c', 'printf "\\377\\376\\0"; printf %s "$1" | wc -c', 'sh', word] as const;
    const result = await see(createLaunch('', {}, { argv }));
    expect(result).toMatchObject({
      kind: 'exit',
      code: 0,
      stdout: { text: '\uFFFD\uFFFD\u000065536\n', droppedBytes: 0 },
    });
  });

  it('does not wait for what a job behind it would write later', async () => {
    const result = await run('(sleep 600; echo late) & echo early');
    expect(result).toMatchObject({ kind: 'exit', stdout: { text: 'early\n' }, survivors: 0, leavings: files });
  });

  it('hands its channels over and closes them', async () => {
    let channel: StartedChild['channels'][number] | undefined;
    const change: Partial<Launch> = {
      begin: async (child) => {
        channel = child.channels[0];
        channel?.write('hello\n');
        return begin(child, '');
      },
    };
    const launch = createLaunch('read -r line <&3; echo "$line"', change, { descriptors: ['channel'] });
    const result = await see(launch);
    expect({ result, closed: channel?.destroyed }).toMatchObject({
      result: { stdout: { text: 'hello\n' } },
      closed: true,
    });
  });
});

describe('caps', () => {
  it('ends a command that takes too long', async () => {
    const hit = { cap: 'wall', limit: 100, unit: 'ms', ...polled };
    expect(await run('sleep 600', { wallMs: 100 })).toEqual({ kind: 'cap', hit, ...seen });
  });

  it.each([
    ['stdout', 'yes'],
    ['stderr', 'yes >&2'],
    ['both together', 'yes & yes >&2'],
  ])('ends one that floods %s, and keeps no more than it was to keep', async (_title, line) => {
    const result = await run(line, { writtenBytes: 100_000, outputBytes: 1000 });
    if (result.kind !== 'cap') throw new Error(result.kind);
    expect(result.hit).toEqual({ cap: 'output', limit: 100_000, unit: 'bytes', ...polled });
    expect(result.hit.observed).toBeGreaterThan(100_000);
    expect(result.stdout.text.length + result.stderr.text.length).toBeLessThan(2200);
  });

  it('counts what was written before the end also when it is read after it', async () => {
    expect(await run('head -c 150000 /dev/zero', { writtenBytes: 149_999 })).toMatchObject({
      kind: 'cap',
      hit: { cap: 'output', limit: 149_999 },
    });
    expect(await run('head -c 150000 /dev/zero', { writtenBytes: 150_000 })).toMatchObject({ kind: 'exit', code: 0 });
  });

  it.runIf(hasProc)('ends a tree whose members together hold too much memory (needs /proc)', async () => {
    const hog = 'exec perl -e \'my @held; while (1) { push @held, "x" x 4194304; select(undef, undef, undef, 0.01) }\'';
    const result = await run(`(${hog}) & (${hog}) & wait`, { memoryBytes: 128 * mebi });
    if (result.kind !== 'cap') throw new Error(result.kind);
    expect(result.hit).toEqual({ cap: 'memory', limit: 128 * mebi, unit: 'bytes', ...polled });
    expect(result.hit.observed).toBeLessThan(256 * mebi);
  });

  it.runIf(hasProc)('counts shared memory once (needs /proc)', async () => {
    const held = 'my $held = "x" x 67108864; for (1 .. 3) { if (!fork) { sleep 1; exit } } wait for 1 .. 3;';
    expect(await run(`exec perl -e '${held}'`, { memoryBytes: 180 * mebi })).toMatchObject({ kind: 'exit', code: 0 });
  });

  it.runIf(hasProc)('counts it once also while those who share it come and go (needs /proc)', async () => {
    const held = 'my $held = "x" x 67108864; for (1 .. 150) { exit if !fork; select(undef, undef, undef, 0.002) }';
    expect(await run(`exec perl -e '${held}'`, { memoryBytes: 140 * mebi })).toMatchObject({ kind: 'exit', code: 0 });
  });

  it.runIf(hasProc)('ends a tree with too many processes (needs /proc)', async () => {
    const hit = { cap: 'processes', limit: 8, unit: 'processes', ...polled };
    const line = 'i=0; while [ $i -lt 30 ]; do i=$((i+1)); sleep 600 & done; wait';
    expect(await run(line, { processes: 8 })).toEqual({ kind: 'cap', hit, ...seen });
  });

  it.runIf(hasProc)('ends a tree that spins in several processes (needs /proc)', async () => {
    const hit = { cap: 'cpu', limit: 300, unit: 'ms', ...polled };
    const spin = '(while :; do :; done)';
    expect(await run(`${spin} & ${spin} & wait`, { cpuMs: 300 })).toEqual({ kind: 'cap', hit, ...seen });
  });

  it.runIf(hasProc)(
    'counts processor time of children that nobody waits for (needs /proc)',
    async () => {
      // Each lives long enough to be seen; one that ends between two looks is not, and the wall clock is what ends those.
      const line = `exec perl -e '$SIG{CHLD} = "IGNORE"; while (1) { if (!fork) { 1 for 1 .. 2e7; exit } select(undef, undef, undef, 0.3) }'`;
      expect(await run(line, { cpuMs: 600, wallMs: 15_000 })).toMatchObject({ kind: 'cap', hit: { cap: 'cpu' } });
    },
    20_000,
  );

  it.each([
    ['has coped with it and ended well', 'exit 0'],
    ['was killed for it', 'kill -KILL $$'],
    ['goes on', 'sleep 600'],
  ])('tells a refusal of the kernel as the cap it was where the command %s', async (_title, line) => {
    const refusals = { memoryBytes: null, processes: 8 };
    const watched = createLaunch(line, {
      keptByKernel: new Set(['processes']),
      begin: async (child) => begin(child, watched.mark, { readRefusals: () => refusals }),
    });
    const by = { enforcement: 'kernel', atMs: expect.any(Number) };
    const hit = { cap: 'processes', limit: 8, observed: 8, unit: 'processes', ...by };
    expect(await see(watched, { processes: 8 })).toEqual({ kind: 'cap', hit, ...seen });
  });

  it('ends a command whose disk is full', async () => {
    const disk = { usedBytes: 4096, isFull: true };
    const usage = { processes: 1, cpuMs: 0, memoryUpperBytes: 0, exactMemoryBytes: () => 0, disk };
    const watched = createLaunch('sleep 600', {
      keptByKernel: new Set(['diskBytes']),
      begin: async (child) => begin(child, watched.mark, { measure: () => usage }),
    });
    const hit = {
      cap: 'disk',
      limit: 4096,
      observed: 4096,
      unit: 'bytes',
      enforcement: 'kernel',
      atMs: expect.any(Number),
    };
    expect(await see(watched, { diskBytes: 4096 })).toEqual({ kind: 'cap', hit, ...seen });
  });

  it('takes the signal of the kernel for the cap that it is', async () => {
    const keptByKernel = new Set<keyof SandboxLimits>(['fileBytes']);
    expect(await see(createLaunch('kill -XFSZ $$', { keptByKernel }))).toMatchObject({
      kind: 'cap',
      hit: { cap: 'file' },
    });
    expect(await see(createLaunch('kill -XFSZ $$'))).toMatchObject({ kind: 'signal', signal: 'SIGXFSZ' });
  });
});

describe('cancelling', () => {
  it('starts nothing when it is too late already', async () => {
    const result = await see(createLaunch('echo ran'), {}, AbortSignal.abort());
    expect(result).toEqual({ kind: 'cancelled', ...seen });
  });

  it('ends a command that runs', async () => {
    const abort = new AbortController();
    const watched = createLaunch('echo up; sleep 600', {
      begin: async (child) => {
        child.stdout.once('data', () => abort.abort());
        return begin(child, watched.mark);
      },
    });
    expect(await see(watched, {}, abort.signal)).toEqual({
      kind: 'cancelled',
      ...seen,
      stdout: { text: 'up\n', droppedBytes: 0 },
    });
  });

  it.each<[string, Launch['begin']]>([
    [
      'while it begins',
      (_child, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(never))),
    ],
    ['while it begins and does not listen', () => new Promise(() => {})],
    ['just as it has begun', async (child, signal) => begin(child, String(signal.aborted))],
  ])('ends a command %s', async (_title, beginLaunch) => {
    const abort = new AbortController();
    const change: Partial<Launch> = {
      begin: (child, signal) => {
        queueMicrotask(() => abort.abort());
        return beginLaunch(child, signal);
      },
    };
    expect(await see(createLaunch('sleep 600', change), {}, abort.signal)).toMatchObject({
      kind: 'cancelled',
      survivors: 0,
    });
  });
});

const never = { kind: 'not-started', stage: 'launcher', reason: 'it has not begun' } as const;

describe('beginning', () => {
  it('is a failure that says why, and everything that was started is ended', async () => {
    expect(await see(createLaunch('sleep 600 & sleep 600', { begin: async () => never }))).toEqual(never);
  });

  it('is not waited for for ever', async () => {
    const watched = createLaunch('sleep 600 & sleep 600', { begin: () => new Promise(() => {}) });
    expect(await see(watched, {}, forever, 100)).toEqual({
      ...never,
      reason: 'the command did not begin within 0.1 s',
    });
  });

  it.each<[string, Partial<Launch>]>([
    ['a beginning', { begin: () => Promise.reject(new Error('broken')) }],
    ['a reading', { readLeavings: () => Promise.reject(new Error('broken')) }],
  ])('leaves nothing behind where %s breaks', async (_title, change) => {
    const { launch, disposals } = createLaunch('sleep 600 &', change);
    await expect(supervise(launch, defaultLimits, forever)).rejects.toThrow('broken');
    expect(disposals).toEqual(gone);
  });
});

describe('ending everything', () => {
  it.runIf(hasProc)(
    'finds children that ignore TERM and left by a double fork (odysseus-dev/odysseus#2338) (needs /proc)',
    async () => {
      const hidden = `(setsid sh -c 'trap "" TERM HUP; (setsid sleep 600 &) ; sleep 600' >/dev/null 2>&1 &)`;
      expect(await run(`${hidden}; ${hidden}; echo up; sleep 600`, { wallMs: 300 })).toMatchObject({
        kind: 'cap',
        hit: { cap: 'wall' },
        survivors: 0,
      });
    },
  );

  it('counts those that are still there when the wait for them is given up', async () => {
    const usage = { processes: 2, cpuMs: 0, memoryUpperBytes: 0, exactMemoryBytes: () => 0, disk: null };
    const stuck = { isGone: () => false, measure: () => usage };
    const watched = createLaunch('exit 0', { begin: async (child) => begin(child, watched.mark, stuck) });
    expect(await see(watched)).toEqual({ kind: 'exit', code: 0, ...seen, survivors: 2 });
  });

  it.runIf(hasProc)('is fast: killed to gone within a quarter of a second (needs /proc)', async () => {
    const tookMs: number[] = [];
    for (let round = 0; round < 20; round++) {
      const before = performance.now();
      const result = await run('(setsid sleep 600 &); sleep 600 & sleep 600', { wallMs: 50 });
      if (result.kind === 'not-started') throw new Error(result.reason);
      tookMs.push(performance.now() - before - result.durationMs);
    }
    tookMs.sort((one, other) => one - other);
    expect(tookMs[10]).toBeLessThan(250);
  });

  it.runIf(hasProc)('is done for a hundred at once (needs /proc)', { timeout: 60_000 }, async () => {
    const lines = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? 'sleep 0.3; echo done' : 'sleep 600'));
    const results = await Promise.all(lines.map((line) => run(line, { wallMs: line === 'sleep 600' ? 1000 : 40_000 })));
    const ends = Map.groupBy(results, (result) => (result.kind === 'exit' ? result.stdout.text : result.kind));
    expect([...ends].map(([kind, of]) => [kind, of.length])).toEqual([
      ['done\n', 50],
      ['cap', 50],
    ]);
  });
});
