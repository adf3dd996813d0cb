import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProcessEnd } from './process-end.ts';
import { readProcessTable } from './process-table.ts';
import { spawnProcess } from './spawn-process.ts';

const hasProc = process.platform === 'linux';

/** Runs one shell line; the abort controller and the lines it prints are at hand while it runs. */
async function runShell(
  line: string,
  options: { wallMs?: number; whenPrinted?: (text: string, abort: AbortController) => void } = {},
): Promise<{ end: ProcessEnd; stdout: string; stderr: string; durationMs: number }> {
  const abort = new AbortController();
  const startedAt = performance.now();
  let stdout = '';
  let stderr = '';
  const end = await spawnProcess({
    argv: ['/bin/sh', '-c', line],
    directory: workDirectory,
    environment: { PATH: '/usr/bin:/bin' },
    signal: abort.signal,
    wallMs: options.wallMs ?? 20_000,
    onStdout: (chunk) => {
      stdout += Buffer.from(chunk).toString('utf8');
      options.whenPrinted?.(stdout, abort);
    },
    onStderr: (chunk) => {
      stderr += Buffer.from(chunk).toString('utf8');
    },
  });
  return { end, stdout, stderr, durationMs: performance.now() - startedAt };
}

/** Live processes whose command line holds the word; each test uses a sleep of its own length as its word. */
function findRunning(word: string): string[] {
  return readProcessTable()
    .filter((row) => !row.ended)
    .flatMap((row) => {
      try {
        const line = readFileSync(`/proc/${row.pid}/cmdline`, 'utf8').split('\0').join(' ');
        return line.includes(word) ? [line] : [];
      } catch {
        return [];
      }
    });
}

let workDirectory = '';
beforeEach(async () => {
  workDirectory = await mkdtemp(join(tmpdir(), 'spawn-process-'));
});
afterEach(() => rm(workDirectory, { recursive: true }));

describe('how a process ended', () => {
  const ends: [string, string, ProcessEnd][] = [
    ['an exit keeps its code', 'exit 7', { kind: 'exit', code: 7 }],
    ['a signal from outside stays a signal', 'kill -KILL $$', { kind: 'signal', signal: 'SIGKILL' }],
  ];
  it.each(ends)('%s', async (_title, line, end) => {
    expect((await runShell(line)).end).toEqual(end);
  });

  it('gives both outputs whole, also when the last bytes come just before the end', async () => {
    const { stdout, stderr } = await runShell('printf out; printf err >&2');
    expect({ stdout, stderr }).toEqual({ stdout: 'out', stderr: 'err' });
  });

  it('says that a missing program never started', async () => {
    const end = await spawnProcess({ ...quiet(), argv: ['/nowhere/program'] });
    expect(end).toEqual({ kind: 'not-started', reason: 'spawn /nowhere/program ENOENT' });
  });

  it('names a missing directory instead of a missing program', async () => {
    const end = await spawnProcess({ ...quiet(), argv: ['/bin/true'], directory: '/nowhere' });
    expect(end).toEqual({ kind: 'not-started', reason: 'there is no directory /nowhere' });
  });

  it('says that nothing started when no file descriptor is left, instead of failing itself', async () => {
    const script = `
      import { openSync } from 'node:fs';
      import { spawnProcess } from '${import.meta.dirname}/spawn-process.ts';
      try { for (;;) openSync('/dev/null'); } catch {}
      const ignore = () => {};
      const signal = new AbortController().signal;
      const options = { directory: '/', environment: {}, signal, wallMs: 1000, onStdout: ignore, onStderr: ignore };
      console.log(JSON.stringify(await spawnProcess({ ...options, argv: ['/bin/true'] })));`;
    const limited = 'ulimit -n 64; exec "$0" --input-type=module -e "$1"';
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', limited, process.execPath, script]);
    expect(JSON.parse(stdout)).toEqual({ kind: 'not-started', reason: 'spawn /bin/true EMFILE' });
  });

  it('says that an argument the system refuses never started', async () => {
    const end = await spawnProcess({ ...quiet(), argv: ['/bin/echo', 'a\0b'] });
    expect(end).toMatchObject({ kind: 'not-started' });
  });

  it('starts nothing when it was cancelled before', async () => {
    const end = await spawnProcess({
      ...quiet(),
      argv: ['/bin/sh', '-c', 'touch ran'],
      signal: AbortSignal.abort(),
    });
    expect(end).toEqual({ kind: 'cancelled' });
    expect(() => readFileSync(join(workDirectory, 'ran'))).toThrow('ENOENT');
  });
});

describe('what a child gets', () => {
  it('has the given environment and a mark, and nothing of ours', async () => {
    let text = '';
    const onStdout = (chunk: Uint8Array) => {
      text += Buffer.from(chunk).toString('utf8');
    };
    await spawnProcess({ ...quiet(), argv: ['/usr/bin/env'], environment: { ONLY: 'this' }, onStdout });
    expect(text.replace(/=[0-9a-f-]{36}/, '=(mark)')).toBe('ONLY=this\nIO_STUDIO_PROCESS_TREE=(mark)\n');
  });

  it('has no input to wait for', async () => {
    expect((await runShell('cat; echo done')).stdout).toBe('done\n');
  });
});

describe('ending a whole tree', () => {
  it('leaves nothing when a pipeline with a background job is cancelled (odysseus-dev/odysseus#2338)', async () => {
    const { end } = await runShell(
      `(sleep 4001.${process.pid} &) ; echo up; sleep 4001.${process.pid} | sleep 4001.${process.pid}`,
      {
        whenPrinted: (_text, abort) => abort.abort(),
      },
    );
    expect({ end, left: findRunning(`sleep 4001.${process.pid}`) }).toEqual({ end: { kind: 'cancelled' }, left: [] });
  });

  it('leaves nothing when a pipeline with a background job times out (odysseus-dev/odysseus#2338)', async () => {
    const { end } = await runShell(
      `(sleep 4002.${process.pid} &) ; sleep 4002.${process.pid} | sleep 4002.${process.pid}`,
      { wallMs: 200 },
    );
    expect({ end, left: findRunning(`sleep 4002.${process.pid}`) }).toEqual({ end: { kind: 'timeout' }, left: [] });
  });

  it('kills a child that ignores TERM after its grace, as a typed timeout (smixs/iva-agent#52)', async () => {
    const { end, durationMs } = await runShell(`trap '' TERM; while :; do sleep 4003.${process.pid}; done`, {
      wallMs: 200,
    });
    expect({ end, left: findRunning(`sleep 4003.${process.pid}`) }).toEqual({ end: { kind: 'timeout' }, left: [] });
    expect(durationMs).toBeGreaterThan(600);
    expect(durationMs).toBeLessThan(5_000);
  });

  it('lets a child that handles TERM tidy up', async () => {
    const line = "trap 'echo tidy; exit 3' TERM; echo up; while :; do sleep 0.05; done";
    const { end, stdout } = await runShell(line, { whenPrinted: (_text, abort) => abort.abort() });
    expect({ end, stdout }).toEqual({ end: { kind: 'cancelled' }, stdout: 'up\ntidy\n' });
  });

  it('ends a background job that holds the pipe after its shell has ended', async () => {
    const { end, durationMs } = await runShell(`sleep 4004.${process.pid} & exit 0`);
    expect({ end, left: findRunning(`sleep 4004.${process.pid}`) }).toEqual({
      end: { kind: 'exit', code: 0 },
      left: [],
    });
    expect(durationMs).toBeLessThan(5_000);
  });

  it.runIf(hasProc)('hunts an orphan that left the process group (needs /proc)', async () => {
    const { end } = await runShell(
      `setsid sh -c "trap '' TERM; sleep 4005.${process.pid}; :" >/dev/null 2>&1 & exit 0`,
    );
    expect({ end, left: findRunning(`sleep 4005.${process.pid}`) }).toEqual({
      end: { kind: 'exit', code: 0 },
      left: [],
    });
  });

  it.runIf(hasProc)('hunts a child that left the group and cleared its environment (needs /proc)', async () => {
    const { end } = await runShell(`env -i setsid sleep 4006.${process.pid} & wait`, { wallMs: 300 });
    expect({ end, left: findRunning(`sleep 4006.${process.pid}`) }).toEqual({ end: { kind: 'timeout' }, left: [] });
  });

  it.runIf(hasProc)('leaves alone what another tree started (needs /proc)', async () => {
    const other = new AbortController();
    const bystander = Promise.withResolvers<void>();
    const running = spawnProcess({
      ...quiet(),
      argv: ['/bin/sh', '-c', `echo up; exec /bin/sleep 4007.${process.pid}`],
      signal: other.signal,
      onStdout: () => bystander.resolve(),
    });
    await bystander.promise;
    await runShell(`sleep 4008.${process.pid}`, { wallMs: 100 });
    expect(findRunning(`.${process.pid}`)).toEqual([`/bin/sleep 4007.${process.pid} `]);
    other.abort();
    await running;
  });
});

function quiet() {
  return {
    directory: workDirectory,
    environment: {},
    signal: new AbortController().signal,
    wallMs: 20_000,
    onStdout: () => {},
    onStderr: () => {},
  };
}
