// The control group of one sandbox: everything that its command starts is in it, whatever it does, and there is no way out.
// The kernel keeps the caps that it can, counts what is used, and ends all of it at once. Gone with the sandbox.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnTag } from '../../process/owner-tag.ts';
import type { Refusals } from '../launch.ts';
import type { SandboxLimits } from '../sandbox.ts';
import { claimOwnGroup } from './claim-own-group.ts';
import { endGroup, isEmptyGroup, removeGroup } from './end-group.ts';
import { readField, readNumber, tryWriteGroupFile } from './group-files.ts';

/** The caps that a group can keep. */
export type GroupCap = keyof Refusals;

export interface ControlGroup extends AsyncDisposable {
  readonly path: string;
  /** Which of its caps the kernel keeps. */
  readonly keeps: ReadonlySet<GroupCap>;
  /** What its members use now, and for processor time what all have used; null for what cannot be told. */
  readUsage(): GroupUsage;
  /** Also when nothing runs in it any more. */
  readRefusals(): Refusals;
  /** Ends every member at once. */
  kill(): void;
  isEmpty(): boolean;
}

export interface GroupUsage {
  /** Not those that belong to the sandbox and not to the command. */
  readonly processes: number | null;
  readonly cpuMs: number | null;
  readonly memoryBytes: number | null;
}

export interface ControlGroupOptions {
  readonly limits: Pick<SandboxLimits, GroupCap>;
  /** How many processes of the sandbox itself are in it. */
  readonly ownProcesses: number;
}

/** Null where this engine may make none, or the system makes no more: then caps are kept as they are elsewhere. */
export function createControlGroup(options: ControlGroupOptions): ControlGroup | null {
  const claim = claimOwnGroup();
  if (claim.kind === 'none') return null;
  const path = join(claim.base, `${readOwnTag()}.${randomUUID()}`);
  try {
    mkdirSync(path);
  } catch {
    return null;
  }
  return limitGroup(path, options);
}

/** One that is there. Exported for those that are not made here. */
export function limitGroup(path: string, { limits, ownProcesses }: ControlGroupOptions): ControlGroup {
  const { memoryBytes, processes } = limits;
  const keeps = new Set<GroupCap>();
  if (memoryBytes !== null && limitMemory(path, memoryBytes)) keeps.add('memoryBytes');
  const mostProcesses = processes === null ? null : processes + ownProcesses;
  if (mostProcesses !== null && tryWriteGroupFile(path, 'pids.max', String(mostProcesses))) keeps.add('processes');
  return {
    path,
    keeps,
    readUsage: () => readUsage(path, ownProcesses),
    readRefusals: () => ({
      ...(keeps.has('memoryBytes') ? readMemoryRefusal(path) : {}),
      ...(mostProcesses !== null && keeps.has('processes')
        ? readProcessRefusal(path, mostProcesses, ownProcesses)
        : {}),
    }),
    kill: () => endGroup(path),
    isEmpty: () => isEmptyGroup(path),
    async [Symbol.asyncDispose]() {
      await removeGroup(path);
    },
  };
}

/** All of it is ended where it needs more, never some of it; and what it may not hold it cannot move to the disk either. */
function limitMemory(path: string, memoryBytes: number): boolean {
  const hasSwap = readNumber(path, 'memory.swap.current') !== null;
  return (
    tryWriteGroupFile(path, 'memory.oom.group', '1') &&
    (!hasSwap || tryWriteGroupFile(path, 'memory.swap.max', '0')) &&
    tryWriteGroupFile(path, 'memory.max', String(memoryBytes))
  );
}

function readUsage(path: string, ownProcesses: number): GroupUsage {
  const members = readNumber(path, 'pids.current');
  const cpuMicroseconds = readField(path, 'cpu.stat', 'usage_usec');
  return {
    processes: members === null ? null : Math.max(0, members - ownProcesses),
    cpuMs: cpuMicroseconds === null ? null : cpuMicroseconds / 1000,
    memoryBytes: readNumber(path, 'memory.current'),
  };
}

/** The system as a whole may run out of memory too, and end something in here for that: then no limit was in the way. */
function readMemoryRefusal(path: string): Refusals {
  const refused = readField(path, 'memory.events', 'oom');
  const killed = readField(path, 'memory.events', 'oom_kill');
  if (refused === null || killed === null) return {};
  const isOver = refused > 0 && killed > 0;
  return { memoryBytes: isOver ? (readNumber(path, 'memory.peak') ?? readNumber(path, 'memory.max') ?? 0) : null };
}

/** Older kernels count here also what a limit further up has refused; this one was in the way only where it was reached. */
function readProcessRefusal(path: string, most: number, ownProcesses: number): Refusals {
  const refused = readField(path, 'pids.events', 'max');
  if (refused === null) return {};
  const reached = readNumber(path, 'pids.peak') ?? most;
  return { processes: refused > 0 && reached >= most ? reached - ownProcesses : null };
}
