// Looks at what a process has written that waits for none of its children, while somebody else fills the same file system.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readProcessTable } from '../../../src/engine/process/process-table.ts';
import { openDiskMeter } from '../../../src/engine/sandbox/disk/disk-meter.ts';

const mebibyte = 1024 ** 2;
const place = mkdtempSync(join(tmpdir(), 'io-studio-look-'));
const elsewhere = mkdtempSync(join(tmpdir(), 'io-studio-look-'));
// The shell becomes a program that knows nothing of the child.
const child = spawn('/bin/sh', ['-c', 'true & exec sleep 600'], { stdio: 'ignore' });
try {
  using meter = await openDiskMeter({ directories: [place], limitBytes: mebibyte });
  const unreaped = await findUnreaped();
  writeFileSync(join(elsewhere, 'file'), Buffer.alloc(16 * mebibyte, 1));
  writeFileSync(join(place, 'file'), Buffer.alloc(mebibyte / 2, 1));
  let usedBytes = 0;
  while (usedBytes === 0) {
    usedBytes = meter.look([child.pid ?? 0, unreaped]).usedBytes;
    await setImmediate();
  }
  console.log(JSON.stringify({ usedBytes }));
} finally {
  child.kill('SIGKILL');
  await once(child, 'exit');
  for (const each of [place, elsewhere]) rmSync(each, { recursive: true });
}

async function findUnreaped(): Promise<number> {
  for (;;) {
    const row = readProcessTable().find(({ parentPid, ended }) => parentPid === child.pid && ended);
    if (row !== undefined) return row.pid;
    await setImmediate();
  }
}
