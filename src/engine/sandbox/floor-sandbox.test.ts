import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFloorSandbox } from './floor-sandbox.ts';
import { defaultLimits, type SandboxLimits, type SandboxResult } from './sandbox.ts';

const sandbox = createFloorSandbox();
const hasProc = process.platform === 'linux';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'floor-sandbox-'));
});
afterEach(() => rm(directory, { recursive: true }));

function run(
  argv: readonly [string, ...string[]],
  limits: Partial<SandboxLimits> = {},
  signal = new AbortController().signal,
) {
  const spec = { argv, directory, environment: {}, limits: { ...defaultLimits, wallMs: 20_000, ...limits } };
  return sandbox.run(spec, signal);
}

const shell = (line: string, limits?: Partial<SandboxLimits>) => run(['sh', '-c', line], limits);

function outputOf(result: SandboxResult): string {
  return result.kind === 'not-started' ? '' : result.stdout.text;
}

describe('what a command comes to', () => {
  it('says everything about one that ran', async () => {
    expect(await shell('echo out; echo err >&2; exit 3')).toEqual({
      kind: 'exit',
      code: 3,
      isolation: 'none',
      stdout: { text: 'out\n', droppedBytes: 0 },
      stderr: { text: 'err\n', droppedBytes: 0 },
      durationMs: expect.any(Number),
    });
  });

  it('hands every argument over as it is', async () => {
    const odd = ['$(touch bad)', '"; exit 9; "', '', 'a b', '-x', '*'];
    const result = await run(['printf', '<%s>', ...odd]);
    expect(outputOf(result)).toBe(odd.map((word) => `<${word}>`).join(''));
    expect(await readdir(directory)).toEqual([]);
  });

  it('says that a missing program never started', async () => {
    expect(await run(['no-such-program'])).toEqual({
      kind: 'not-started',
      program: 'no-such-program',
      reason: 'there is no such executable program',
    });
  });

  it('says that a script whose interpreter is missing never started', async () => {
    const script = join(directory, 'script');
    await writeFile(script, '#!/nowhere/python\n');
    await chmod(script, 0o755);
    expect(await run([script])).toMatchObject({
      kind: 'not-started',
      reason: 'its interpreter /nowhere/python is missing',
    });
  });

  it('says that a command in a missing directory never started', async () => {
    const spec = {
      argv: ['true'],
      directory: join(directory, 'gone'),
      environment: {},
      limits: defaultLimits,
    } as const;
    expect(await sandbox.run(spec, new AbortController().signal)).toMatchObject({ kind: 'not-started' });
  });

  it('reports a kill from outside as the signal it was, not as a cap', async () => {
    expect(await shell('kill -KILL $$')).toMatchObject({ kind: 'signal', signal: 'SIGKILL' });
  });

  it('reports a cancelled command as cancelled', async () => {
    const abort = new AbortController();
    const running = run(['sleep', '600'], {}, abort.signal);
    abort.abort();
    expect((await running).kind).toBe('cancelled');
  });
});

describe('caps', () => {
  it('ends a command that takes too long', async () => {
    expect(await shell('sleep 600', { wallMs: 100 })).toMatchObject({
      kind: 'cap',
      cap: 'wall',
      enforcement: 'polled',
    });
  });

  it('ends a command that spins', async () => {
    const result = await shell('while :; do :; done', { cpuSeconds: 1 });
    expect(result).toMatchObject({ kind: 'cap', cap: 'cpu', enforcement: 'kernel' });
  });

  it('ends a command that writes too large a file', async () => {
    const result = await run(['dd', 'if=/dev/zero', 'of=big', 'bs=1024', 'count=64'], { fileBytes: 4096 });
    expect(result).toMatchObject({ kind: 'cap', cap: 'file', enforcement: 'kernel' });
  });

  it.runIf(hasProc)('ends a tree whose members together hold too much memory (needs /proc)', async () => {
    const hog = `const held = []; setInterval(() => held.push(Buffer.alloc(16 * 1024 ** 2, 1)), 20)`;
    const result = await run(['sh', '-c', '"$0" -e "$1" & "$0" -e "$1" & wait', process.execPath, hog], {
      memoryBytes: 400 * 1024 ** 2,
    });
    expect(result).toMatchObject({ kind: 'cap', cap: 'memory', enforcement: 'polled' });
  });

  it('keeps head and tail of a flood of output, and counts the rest', async () => {
    const result = await shell('echo first; head -c 20000000 /dev/zero; echo last', { outputBytes: 4096 });
    if (result.kind !== 'exit') throw new Error(result.kind);
    expect(result.code).toBe(0);
    expect(result.stdout.text).toMatch(/^first\n.*bytes left out.*last\n$/s);
    expect(result.stdout.droppedBytes).toBe(20_000_000 + 'first\nlast\n'.length - 4096);
    expect(result.stdout.text.length).toBeLessThan(4200);
  });
});

describe('what a command is given', () => {
  it('has a private home and temporary directory, which are gone afterwards', async () => {
    const result = await shell('cd "$HOME" && pwd && touch left && cd "$TMPDIR" && pwd && mkdir shut && chmod 0 shut');
    const paths = outputOf(result).trim().split('\n');
    expect(paths).toHaveLength(2);
    for (const path of paths) await expect(readdir(path)).rejects.toThrow('ENOENT');
  });

  it('removes its home without following links out of it', async () => {
    await writeFile(join(directory, 'kept'), 'x');
    await shell(`ln -s "${directory}" "$HOME/link"`);
    expect(await readdir(directory)).toEqual(['kept']);
  });

  it('cannot have its PATH or HOME set from outside', async () => {
    const spec = {
      argv: ['sh', '-c', 'echo "$PATH:$HOME:$EXTRA"'],
      directory,
      environment: { PATH: '/evil', HOME: '/evil', EXTRA: 'given' },
      limits: defaultLimits,
    } as const;
    const result = await sandbox.run(spec, new AbortController().signal);
    expect(outputOf(result)).toMatch(/:given\n$/);
    expect(outputOf(result)).not.toContain('evil');
  });
});
