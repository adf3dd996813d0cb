import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { findHostHelper } from '../../process/find-host-helper.ts';
import { readProcessTable } from '../../process/process-table.ts';
import type { Instruction } from './launcher.ts';
import { launch } from './zygote.ts';

const perl = findHostHelper('perl');
const shell = (line: string): Instruction => ['start', '/bin/sh', '-c', line];

describe.skipIf(process.platform !== 'linux' || perl === null)('what the zygote starts', () => {
  it('ends as a child of this process would', async () => {
    const ends = await Promise.all(
      ['exit 0', 'exit 255', 'kill -ABRT $$', 'kill -KILL $$'].map(async (line) => (await start(line)).exited),
    );
    expect(ends).toEqual([
      { code: 0, signal: null },
      { code: 255, signal: null },
      { code: null, signal: 'SIGABRT' },
      { code: null, signal: 'SIGKILL' },
    ]);
  });

  it('leads a session of its own, with nothing to read, no signal held back and no descriptor but its own', async () => {
    const lines = [
      // Without a pipe of its own, which would be one more.
      'pipes=0; for each in /proc/$$/fd/*; do [ -p "$each" ] && pipes=$((pipes+1)); done; echo $pipes',
      'readlink /proc/$$/fd/0',
      'cut -d" " -f5,6 /proc/$$/stat; echo $$',
      'grep SigBlk /proc/self/status; tr -d "\\0" </proc/$$/environ',
    ];
    const child = await start(lines.join('\n'));
    const [output] = await Promise.all([text(child.stdout), child.exited]);
    expect(output).toBe(`2\n/dev/null\n${child.pid} ${child.pid}\n${child.pid}\nSigBlk:\t0000000000000000\n`);
  });

  it('reads what it is sent, and writes more than a pipe holds', async () => {
    const child = await start('cat; head -c 1000000 /dev/zero', 'pipe');
    child.stdin?.end('hello');
    const bytes = await buffer(child.stdout);
    expect([bytes.toString('utf8', 0, 5), bytes.length]).toEqual(['hello', 1_000_005]);
  });

  it('can be many at once, each with its own pipes', async () => {
    const numbers = Array.from({ length: 40 }, (_, number) => number);
    const outputs = await Promise.all(numbers.map(async (number) => text((await start(`echo ${number}`)).stdout)));
    expect(outputs).toEqual(numbers.map((number) => `${number}\n`));
  });

  it('is not reaped before its end is known here, and leaves no pipe open here or there', async () => {
    await (await start(':')).closed;
    const before = countPipes(process.pid);
    for (let round = 0; round < 20; round++) {
      const child = await start(':');
      child.stdout.resume();
      child.stderr.resume();
      await child.closed;
      child.release();
    }
    // Two wait to be told what to do, here as there.
    await expect.poll(() => countPipes(process.pid) - before).toBeLessThanOrEqual(20);
    await expect.poll(() => countPipes(findZygote())).toBeLessThanOrEqual(20);
  });

  it('carries a list of instructions larger than a pipe, and tells which one failed', async () => {
    const long = 'x'.repeat(300_000);
    const child = await launch(perl ?? '', {
      instructions: [['environment', 'LONG', long.slice(0, 100_000)], ['no-such-thing', long], shell(':')],
      input: 'none',
    });
    if (child.kind === 'failed') throw new Error(child.reason);
    const [status] = child.channels;
    expect(status === undefined ? '' : await text(status)).toBe('failed\tno-such-thing\tunknown\n');
    expect(await child.exited).toEqual({ code: 70, signal: null });
  });

  it('is heard no more once its program runs, also where a process stays with it', async () => {
    const child = await launch(perl ?? '', { instructions: [['hold'], shell('read -r line')], input: 'pipe' });
    if (child.kind === 'failed') throw new Error(child.reason);
    const [status] = child.channels;
    expect(status === undefined ? null : await text(status)).toBe('');
    child.stdin?.end('go on\n');
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  it('is moved to a control group where it cannot be born in it', async () => {
    // The kernel takes no other directory for one.
    const group = mkdtempSync(join(tmpdir(), 'zygote-'));
    const startIn = (path: string) =>
      launch(perl ?? '', { instructions: [shell(':')], input: 'none', controlGroup: { path } });
    try {
      const child = await startIn(group);
      if (child.kind === 'failed') throw new Error(child.reason);
      const moved = readFileSync(join(group, 'cgroup.procs'), 'utf8');
      expect([moved, await child.exited]).toEqual([String(child.pid), { code: 0, signal: null }]);
      const missing = join(group, 'missing');
      expect(await startIn(missing)).toEqual({ kind: 'failed', reason: `${missing}: No such file or directory` });
      rmSync(join(group, 'cgroup.procs'));
      mkdirSync(join(group, 'cgroup.procs'));
      expect(await startIn(group)).toEqual({ kind: 'failed', reason: `${group}/cgroup.procs: Is a directory` });
      expect(await (await start('exit 3')).exited).toEqual({ code: 3, signal: null });
    } finally {
      rmSync(group, { recursive: true });
    }
  });

  it('ends with the zygote, which the next launch starts again', async () => {
    const child = await start('exec sleep 600');
    const zygote = findZygote();
    process.kill(zygote, 'SIGKILL');
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await expect.poll(() => isRunning(child.pid)).toBe(false);
    expect(await text((await start('echo again')).stdout)).toBe('again\n');
    expect(findZygote()).not.toBe(zygote);
  });

  it('fails where the zygote does not answer, and can be started again', async () => {
    await (await start(':')).closed;
    const zygote = findZygote();
    process.kill(zygote, 'SIGSTOP');
    // The spare ones are used up first.
    const asked = await Promise.all(
      Array.from({ length: 4 }, () => launch(perl ?? '', { instructions: [shell(':')], input: 'none' })),
    );
    expect(asked.at(-1)).toEqual({ kind: 'failed', reason: 'the process that starts sandboxes has ended' });
    expect(await text((await start('echo again')).stdout)).toBe('again\n');
  }, 30_000);

  it('is gone with the engine, however that ends', async () => {
    const script = `
      import { launch } from '${import.meta.dirname}/zygote.ts';
      const child = await launch('${perl}', { instructions: [['start', '/bin/sleep', '600']], input: 'none' });
      console.log(child.pid);`;
    const engine = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(engine.stdout, 'data');
    const zygote = readProcessTable().find(({ parentPid }) => parentPid === engine.pid)?.pid ?? 0;
    engine.kill('SIGKILL');
    await expect.poll(() => [Number(String(line)), zygote].filter(isRunning)).toEqual([]);
  });

  it('keeps no engine from ending once nothing of it runs', async () => {
    const script = `
      import { launch } from '${import.meta.dirname}/zygote.ts';
      const child = await launch('${perl}', { instructions: [['start', '/bin/true']], input: 'none' });
      child.stdout.resume(); child.stderr.resume();
      await child.closed; child.release(); console.log('closed');`;
    const engine = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output, [code]] = await Promise.all([text(engine.stdout), once(engine, 'exit')]);
    expect({ output, code }).toEqual({ output: 'closed\n', code: 0 });
  });
});

async function start(line: string, input: 'none' | 'pipe' = 'none') {
  const child = await launch(perl ?? '', { instructions: [shell(line)], input });
  if (child.kind === 'failed') throw new Error(child.reason);
  return child;
}

/** The child of this process that forks the others. */
function findZygote(): number {
  const children = readProcessTable().filter(({ parentPid, ended }) => parentPid === process.pid && !ended);
  const zygote = children.find(({ pid }) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('fork_launcher'));
  if (zygote === undefined) throw new Error('There is no zygote.');
  return zygote.pid;
}

function countPipes(pid: number): number {
  const links = readdirSync(`/proc/${pid}/fd`).map((name) => `/proc/${pid}/fd/${name}`);
  return links.filter((link) => readLink(link).startsWith('pipe:')).length;
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // It has just been closed.
  }
}

function isRunning(pid: number): boolean {
  return readProcessTable().some((row) => row.pid === pid && !row.ended);
}
