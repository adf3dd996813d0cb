// Which ways to enclose commands have worked on this machine since it was started, so that not every process tries again. A
// failure is not kept: what stood in the way may be gone. A command whose sandbox then fails all the same is not run.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { engineVersion } from '../../../shared/engine-version.ts';
import { findHostHelper } from '../../process/find-host-helper.ts';
import { readSystemIdentity } from '../../process/process-identity.ts';
import { readShortFile } from '../../process/process-table.ts';
import type { Isolation } from '../sandbox.ts';
import { readHostFacts } from './host-facts.ts';

export interface TrialMemory {
  hasWorked(isolation: Isolation): boolean;
  /** Never throws: what cannot be kept is tried again. */
  keep(isolation: Isolation): void;
}

/** For an engine that keeps nothing. */
export const noTrialMemory: TrialMemory = { hasWorked: () => false, keep: () => undefined };

const Kept = z.object({ key: z.string(), worked: z.array(z.string()) });

/** `home`: the engine's own directory, which nothing that is enclosed can write. */
export function openTrialMemory(home: string): TrialMemory {
  const file = join(home, 'sandbox-trials.json');
  const key = toKey();
  const worked = readWorked(file, key);
  return {
    hasWorked: (isolation) => worked.has(isolation),
    keep(isolation) {
      worked.add(isolation);
      try {
        publish(home, file, JSON.stringify({ key, worked: [...worked] }));
      } catch {
        // A home that cannot be written is told of by whoever needs it.
      }
    },
  };
}

/** Everything that a trial depends on and that can be another one the next time. */
function toKey(): string {
  const helpers = (['bwrap', 'perl', 'prlimit'] as const).map((name) => {
    const path = findHostHelper(name);
    return path === null ? null : { path, ...pickVersion(path) };
  });
  const { bootId, machineId, pidNamespace } = readSystemIdentity();
  const system = { bootId, machineId, pidNamespace, kernel: release(), uid: process.getuid?.(), engineVersion };
  const told = JSON.stringify({ system, helpers, facts: readHostFacts(), rights: readRights() });
  return createHash('sha256').update(told).digest('hex');
}

/** What this process may do at most, and what already encloses it. */
function readRights(): readonly string[] {
  try {
    return readShortFile('/proc/self/status').match(/^(?:Cap\w+|NoNewPrivs|Seccomp):.*$/gm) ?? [];
  } catch {
    return [];
  }
}

function pickVersion(path: string) {
  const { mtimeMs, size, ino, mode } = statSync(path);
  return { mtimeMs, size, ino, mode };
}

function readWorked(file: string, key: string): Set<string> {
  try {
    const kept = Kept.parse(JSON.parse(readFileSync(file, 'utf8')));
    return new Set(kept.key === key ? kept.worked : []);
  } catch {
    return new Set();
  }
}

function publish(home: string, file: string, text: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
