import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createTemporaryDirectory } from '../../../../test/support/temporary-directory.ts';
import { openDiskMeter } from './disk-meter.ts';
import { measureTree } from './measure-tree.ts';

const mebibyte = 1024 ** 2;
const isSuperuser = process.getuid?.() === 0;
const megabyte = Buffer.alloc(mebibyte, 1);

/** In whole mebibytes: an entry costs a little of its own. */
async function measure(path: string, enoughBytes = Number.POSITIVE_INFINITY) {
  const { bytes, isWhole } = await measureTree(path, { enoughBytes, signal: new AbortController().signal });
  return { mebibytes: Math.floor(bytes / mebibyte), isWhole };
}

describe('the room that a directory takes', () => {
  it('is that of what lies in it at any depth, whatever bytes its names are made of', async () => {
    using place = createTemporaryDirectory();
    place.write('a/b/c/file', megabyte);
    writeFileSync(Buffer.concat([Buffer.from(`${place.path}/`), Buffer.from([0xff, 0xfe])]), megabyte);
    expect(await measure(place.path)).toEqual({ mebibytes: 2, isWhole: true });
  });

  it('is not that of what a link leads to, nor that of holes, nor twice that of a file with two names', async () => {
    using place = createTemporaryDirectory();
    using elsewhere = createTemporaryDirectory();
    elsewhere.write('file', megabyte);
    symlinkSync(elsewhere.path, join(place.path, 'link'));
    truncateSync(place.write('holes', ''), 100 * mebibyte);
    linkSync(place.write('one', megabyte), join(place.path, 'other'));
    expect(await measure(place.path)).toEqual({ mebibytes: 1, isWhole: true });
  });

  it('is also that of files without content', async () => {
    using place = createTemporaryDirectory();
    for (let each = 0; each < 1_100; each++) place.write(`${each}`, '');
    expect(await measure(place.path)).toEqual({ mebibytes: 1, isWhole: true });
  });

  it('is nothing where there is none any more', async () => {
    expect(await measure('/nonexistent')).toEqual({ mebibytes: 0, isWhole: true });
  });

  it('is not looked for further than it has to be known', async () => {
    using place = createTemporaryDirectory();
    for (let each = 0; each < 20; each++) place.write(`${each}`, megabyte);
    expect((await measure(place.path, mebibyte)).mebibytes).toBeLessThan(4);
  });

  it('says that it is not all where it lies deeper than anybody looks', async () => {
    using place = createTemporaryDirectory();
    place.write(`${deep}file`, megabyte);
    expect(await measure(place.path)).toEqual({ mebibytes: 0, isWhole: false });
  });

  it.skipIf(isSuperuser)('says that it is not all where a directory is shut (needs another than root)', async () => {
    using place = createTemporaryDirectory();
    place.write('shut/file', megabyte);
    chmodSync(join(place.path, 'shut'), 0);
    expect(await measure(place.path)).toEqual({ mebibytes: 0, isWhole: false });
    chmodSync(join(place.path, 'shut'), 0o700);
  });
});

describe('what a command has written', () => {
  it('is what its directories hold beyond what they held before, each for itself', async () => {
    using place = createTemporaryDirectory();
    const directories = [place.make('one'), place.make('other')] as const;
    place.write('one/before', megabyte);
    using meter = await openDiskMeter({ directories, limitBytes: 2 * mebibyte });
    expect(meter.look([])).toEqual({ usedBytes: 0, isFull: false });
    for (const name of ['one/a', 'other/a', 'other/b']) place.write(name, megabyte);
    place.write('other/c', megabyte);
    const seen = await untilFull(meter, []);
    expect(Math.floor(seen.usedBytes / mebibyte)).toBe(3);
    rmSync(join(place.path, 'other'), { recursive: true });
    mkdirSync(join(place.path, 'other'));
  });

  it.runIf(process.platform === 'linux')('is also what it has removed and still holds open (needs Linux)', async () => {
    using place = createTemporaryDirectory();
    using meter = await openDiskMeter({ directories: [place.path], limitBytes: 2 * mebibyte });
    const source = `
      const { openSync, unlinkSync, writeSync } = require('node:fs');
      const descriptor = openSync('file', 'w');
      unlinkSync('file');
      for (let each = 0; each < 3; each++) writeSync(descriptor, Buffer.alloc(1024 ** 2, 1));
      console.log('written');
      setInterval(() => undefined, 1000);`;
    await using child = await startWriter(source, place.path);
    const { usedBytes } = await untilFull(meter, [child.pid]);
    expect(Math.floor(usedBytes / mebibyte)).toBe(3);
  });

  it.runIf(process.platform === 'linux')(
    'is what it hides as well, as far as the file system has lost it and it may have written it (needs Linux)',
    async () => {
      using place = createTemporaryDirectory();
      using elsewhere = createTemporaryDirectory();
      place.make(deep);
      using meter = await openDiskMeter({ directories: [place.path], limitBytes: 2 * mebibyte });
      const source = `
        const { writeFileSync } = require('node:fs');
        for (let each = 0; each < 3; each++) writeFileSync(each + '', Buffer.alloc(1024 ** 2, 1));
        console.log('written');
        setInterval(() => undefined, 1000);`;
      await using child = await startWriter(source, join(place.path, deep));
      // What others write meanwhile is no part of it.
      elsewhere.write('file', Buffer.alloc(16 * mebibyte, 1));
      const { usedBytes } = await untilFull(meter, [child.pid]);
      expect(usedBytes / mebibyte).toBeLessThan(4);
    },
  );
});

/** Deeper than anybody looks. */
const deep = 'd/'.repeat(60);

/** A program of Node that has written what it wants to. */
async function startWriter(source: string, directory: string): Promise<AsyncDisposable & { readonly pid: number }> {
  const child = spawn(process.execPath, ['-e', source], { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Looks as often as there is time for, like those who watch a command. */
async function untilFull(meter: Awaited<ReturnType<typeof openDiskMeter>>, pids: readonly number[]) {
  for (;;) {
    const seen = meter.look(pids);
    if (seen.isFull) return seen;
    await setImmediate();
  }
}
