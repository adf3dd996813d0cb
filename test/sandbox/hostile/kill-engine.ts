// Kills an engine while a command of it runs, and tells what of the command is left a moment later, and what of that when the
// next engine has begun.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sweepLeftovers } from '../../../src/engine/sandbox/leftovers/sweep-leftovers.ts';
import { openPrivateBase } from '../../../src/engine/sandbox/ownership/private-base.ts';
import { findMarked, findNamed } from './find-marked.ts';
import type { KillReport } from './report.ts';

const patienceMs = 15_000;
const graceMs = 1000;

/** Ends what is left in the end. */
export async function killEngine(backend: string): Promise<KillReport> {
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
  const entries = () => readdirSync(openPrivateBase()).filter((name) => name.startsWith(`${engine.pid}-`));
  const before = entries().length;
  await sweepLeftovers(AbortSignal.timeout(patienceMs));
  for (const pid of findMarked(marker)) process.kill(pid, 'SIGKILL');
  return { processes: left.length, entries: before, entriesAfterSweep: entries() };
}

async function until(isSo: () => boolean, waitedMs: number): Promise<void> {
  const deadline = performance.now() + waitedMs;
  while (!isSo() && performance.now() < deadline) await wait(10);
}
