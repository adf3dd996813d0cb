import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readProcessRow } from '../../../src/engine/process/process-table.ts';
import { openDiskMeter } from '../../../src/engine/sandbox/disk/disk-meter.ts';
import { createProcessMeter } from '../../../src/engine/sandbox/measure-processes.ts';
import { createTemporaryDirectory } from '../../support/temporary-directory.ts';

const mebibyte = 1024 ** 2;
const isSuperuser = process.getuid?.() === 0;
const ordinaryUser = 60_611;

describe.skipIf(process.platform !== 'linux')('a look at the processes of a command (needs Linux)', () => {
  it('still sees one whose first thread has ended: that it runs, its memory, and the files it alone has open', async () => {
    using place = createTemporaryDirectory();
    await using child = await startHeadless(place.path);
    const row = readProcessRow(child.pid);
    if (row === undefined) throw new Error('it is gone');
    const usage = createProcessMeter().measure([row]);
    expect(row).toMatchObject({ ended: false, hasMemory: false });
    expect(usage.memoryUpperBytes).toBeGreaterThan(64 * mebibyte);
    expect(usage.exactMemoryBytes(0)).toBeGreaterThan(64 * mebibyte);
    using meter = await openDiskMeter({ directories: [place.path], limitBytes: mebibyte });
    while (!meter.look([child.pid]).isFull) await setImmediate();
  });

  it('does not take one that nobody has waited for to hide what others write', (test) => {
    const user = isSuperuser ? { uid: ordinaryUser, gid: ordinaryUser } : {};
    const program = join(import.meta.dirname, 'unreaped.ts');
    const { status } = spawnSync(process.execPath, ['--check', program], { ...user, env: {} });
    if (status !== 0) test.skip('other users may not read this checkout');
    const looked = spawnSync(process.execPath, [program], {
      ...user,
      env: { PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    });
    expect(looked.stderr).toBe('');
    const { usedBytes } = JSON.parse(looked.stdout);
    expect(usedBytes / mebibyte).toBeLessThan(0.6);
  });
});

async function startHeadless(directory: string): Promise<AsyncDisposable & { readonly pid: number }> {
  const program = join(import.meta.dirname, 'headless.py');
  const child = spawn('/usr/bin/python3', ['-I', program], { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
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
