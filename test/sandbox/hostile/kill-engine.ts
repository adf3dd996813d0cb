// Kills an engine while a command of it runs, and tells what of the command is left a moment later.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findMarked, findNamed } from './find-marked.ts';

const patienceMs = 15_000;
const graceMs = 1000;

/** How many processes are left; those are ended then. */
export async function killEngine(backend: string): Promise<number> {
  const marker = `doomed-${randomBytes(8).toString('hex')}`;
  const program = join(import.meta.dirname, 'doomed-engine.ts');
  const engine = spawn(process.execPath, [program, backend, marker], { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(engine, 'exit');
  try {
    await until(() => findNamed(marker).length === 2, patienceMs);
  } finally {
    engine.kill('SIGKILL');
    await exited;
  }
  await until(() => findMarked(marker).length === 0, graceMs);
  const left = findMarked(marker);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  return left.length;
}

async function until(isSo: () => boolean, waitedMs: number): Promise<void> {
  const deadline = performance.now() + waitedMs;
  while (!isSo() && performance.now() < deadline) await wait(10);
}
