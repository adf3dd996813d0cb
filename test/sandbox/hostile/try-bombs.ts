// Runs what uses too much or refuses to end, each in a sandbox of its own, and tells how it ended and what of it was left.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox, SandboxLimits, SandboxResult } from '../../../src/engine/sandbox/sandbox.ts';
import { findMarked } from './find-marked.ts';
import type { BombReport } from './report.ts';
import { python } from './try-probes.ts';

const source = readFileSync(join(import.meta.dirname, 'bombs.py'), 'utf8');
const mebibyte = 1024 ** 2;

export const bombLimits: SandboxLimits = {
  wallMs: 15_000,
  cpuMs: null,
  memoryBytes: 192 * mebibyte,
  processes: 40,
  outputBytes: 4096,
  writtenBytes: mebibyte,
  fileBytes: 16 * mebibyte,
  diskBytes: 48 * mebibyte,
};

/** What single cases are allowed less of, so that they end soon, or more of where it is not what they are about. */
const special: Readonly<Record<string, Partial<SandboxLimits>>> = {
  'spin-in-two': { cpuMs: 300 },
  'spin-in-forgotten-children': { cpuMs: 300 },
  'sleep-deaf': { wallMs: 400 },
  forks: { wallMs: 5000 },
  'empty-files': { diskBytes: mebibyte },
  'rename-meanwhile': { diskBytes: 1024 * mebibyte },
};

export async function tryBomb(sandbox: Sandbox, name: string, marker: string): Promise<BombReport> {
  using bystander = makeBystander();
  const argv = [python, '-I', '-c', source, name, marker, bystander.path] as const;
  const running = sandbox.run(
    {
      argv,
      directory: { mode: 'ephemeral', files: [], collect: ['huge'] },
      environment: {},
      limits: { ...bombLimits, ...special[name] },
    },
    AbortSignal.timeout(30_000),
  );
  const refusals = name === 'forks' ? await countRefusals(running) : 0;
  const result = await running;
  const left = findMarked(marker);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  removeSharedMemory(marker);
  const faults = [
    ...(left.length === 0 ? [] : [`${left.length} left`]),
    ...(refusals === 0 ? [] : [`${refusals} refused to others`]),
    ...(bystander.isUnharmed() ? [] : ['others harmed']),
  ];
  return {
    end: [describe(result), ...faults].join(', '),
    hit: result.kind === 'cap' ? result.hit : null,
    keptBytes: 'stdout' in result ? Math.max(...[result.stdout, result.stderr].map(({ text }) => text.length)) : 0,
  };
}

/** How often another process of the engine's user could not be started while the command ran. */
async function countRefusals(running: Promise<SandboxResult>): Promise<number> {
  const run = { isOver: false };
  running.then(() => {
    run.isOver = true;
  });
  let refusals = 0;
  while (!run.isOver) {
    const child = spawn('/bin/true', { stdio: 'ignore' });
    const started = await Promise.race([
      once(child, 'exit').then(() => true),
      once(child, 'error').then(() => false),
    ]).catch(() => false);
    if (!started) refusals++;
    await Promise.race([running, new Promise((resolve) => setTimeout(resolve, betweenStartsMs))]);
  }
  return refusals;
}

const betweenStartsMs = 50;

interface Bystander extends Disposable {
  readonly path: string;
  isUnharmed(): boolean;
}

/** A directory outside that everybody may write to. */
function makeBystander(): Bystander {
  const path = mkdtempSync('/var/tmp/bystander-');
  const file = join(path, 'file');
  chmodSync(path, 0o777);
  writeFileSync(file, 'kept');
  chmodSync(file, 0o666);
  return {
    path,
    isUnharmed: () => existsSync(file) && readFileSync(file, 'utf8') === 'kept' && readdirSync(path).length === 1,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

function describe(result: SandboxResult): string {
  switch (result.kind) {
    case 'exit':
      return `exit ${result.code}`;
    case 'signal':
      return result.signal;
    case 'cap':
      return `cap ${result.hit.cap}`;
    case 'cancelled':
      return 'cancelled';
    case 'not-started':
      return `not started: ${result.reason}`;
  }
}

function removeSharedMemory(marker: string): void {
  for (const name of readdirSync('/dev/shm')) {
    if (name.startsWith(marker)) rmSync(join('/dev/shm', name), { force: true });
  }
}
