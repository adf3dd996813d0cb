// Runs what uses too much or refuses to end, each in a sandbox of its own, and tells how it ended and what of it was left.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox, SandboxLimits, SandboxResult } from '../../../src/engine/sandbox/sandbox.ts';
import { findMarked } from './find-marked.ts';
import { python } from './try-probes.ts';

const source = readFileSync(join(import.meta.dirname, 'bombs.py'), 'utf8');
const mebibyte = 1024 ** 2;

const limits: SandboxLimits = {
  wallMs: 15_000,
  cpuMs: null,
  memoryBytes: 192 * mebibyte,
  processes: 40,
  outputBytes: 4096,
  writtenBytes: mebibyte,
  fileBytes: 16 * mebibyte,
  diskBytes: 48 * mebibyte,
};

/** What single cases are allowed less of, so that they end soon. */
const tighter: Readonly<Record<string, Partial<SandboxLimits>>> = {
  'spin-in-two': { cpuMs: 300 },
  'spin-in-forgotten-children': { cpuMs: 300 },
  'sleep-deaf': { wallMs: 400 },
  forks: { wallMs: 5000 },
  'empty-files': { diskBytes: mebibyte },
};

export async function tryBomb(sandbox: Sandbox, name: string, marker: string): Promise<string> {
  const result = await sandbox.run(
    {
      argv: [python, '-I', '-c', source, name, marker],
      directory: { mode: 'ephemeral', files: [], collect: ['huge'] },
      environment: {},
      limits: { ...limits, ...tighter[name] },
    },
    AbortSignal.timeout(30_000),
  );
  const left = findMarked(marker);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  removeSharedMemory(marker);
  return [describe(result), ...(left.length === 0 ? [] : [`${left.length} left`])].join(', ');
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
