import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readProcessIdentity } from '../process/process-identity.ts';
import { holdFileLock } from './hold-file-lock.ts';

let directory = '';
let file = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hold-file-lock-'));
  file = join(directory, 'counter');
});
afterEach(() => rmSync(directory, { recursive: true }));

describe('a lock on a file', () => {
  it('gives what the action gives, and is gone afterwards', async () => {
    const held = await holdFileLock(file, 1000, () => readdirSync(directory).length);
    expect({ held, left: readdirSync(directory) }).toEqual({ held: { result: 1 }, left: [] });
  });

  it('is gone also when the action fails', async () => {
    const failing = holdFileLock(file, 1000, () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(readdirSync(directory)).toEqual([]);
  });

  it('of a living process is waited for, and then given up', async () => {
    putUpLock(process.pid);
    const held = await holdFileLock(file, 60, () => 'mine');
    expect({ held, left: readdirSync(directory) }).toEqual({ held: null, left: ['counter.other.lock'] });
  });

  it('that nobody can read is taken for one of the living', async () => {
    writeFileSync(`${file}.other.lock`, 'half');
    expect(await holdFileLock(file, 20, () => 'mine')).toBe(null);
  });

  it('of a dead process is cleared away', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    putUpLock(pid);
    const held = await holdFileLock(file, 1000, () => 'mine');
    expect({ held, left: readdirSync(directory) }).toEqual({ held: { result: 'mine' }, left: [] });
  });

  it('on another file is none on this one', async () => {
    writeFileSync(join(directory, 'counter2.other.lock'), 'half');
    expect(await holdFileLock(file, 1000, () => 'mine')).toEqual({ result: 'mine' });
  });

  it('is held by one at a time, in this process and among others', async () => {
    writeFileSync(file, '0');
    const source = join(import.meta.dirname, 'hold-file-lock.ts');
    const script = `import { holdFileLock } from ${JSON.stringify(source)};
      import { readFileSync, writeFileSync } from 'node:fs';
      const file = ${JSON.stringify(file)};
      const add = () => writeFileSync(file, String(Number(readFileSync(file, 'utf8')) + 1));
      for (let round = 0; round < 8; round++) await holdFileLock(file, 20_000, add);`;
    const children = [1, 2].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }),
    );
    const add = (): void => writeFileSync(file, String(Number(readFileSync(file, 'utf8')) + 1));
    await Promise.all([
      ...children.map((child) => once(child, 'close')),
      ...Array.from({ length: 8 }, () => holdFileLock(file, 20_000, add)),
    ]);
    expect({ count: readFileSync(file, 'utf8'), left: readdirSync(directory) }).toEqual({
      count: '24',
      left: ['counter'],
    });
  }, 60_000);
});

function putUpLock(pid: number): void {
  const self = readProcessIdentity();
  const startTime = pid === process.pid ? self.startTime : '';
  writeFileSync(`${file}.other.lock`, JSON.stringify({ ...self, pid, startTime }));
}
