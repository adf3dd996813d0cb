// Clears away what engines that were killed have left on this machine: first what still runs, then directories, and last
// what makes both findable, so that an interrupted sweep can be taken up by the next. Nothing of an engine that may be alive
// is touched, and several sweeps at once do each other no harm.
import { lstatSync, rmSync } from 'node:fs';
import { findLockDirectory } from '../identity/lock-directory.ts';
import { freeNumber, type HeldNumber } from '../identity/number-locks.ts';
import { readReservedNumbers } from '../identity/reserved-numbers.ts';
import { listPrivateBases } from '../ownership/private-base.ts';
import { removeTree } from '../remove-tree.ts';
import { endLeftProcesses } from './end-left-processes.ts';
import { type DeadEngine, findDeadEngines, type LeftoverPlaces } from './find-dead-engines.ts';
import type { LeftSandbox } from './find-left-processes.ts';
import { readRecord, recordEnding } from './record-sandbox.ts';

export interface SweepReport {
  readonly endedProcesses: number;
  readonly removedDirectories: number;
  /** Directories that could not be removed, or whose processes could not be ended. */
  readonly left: readonly string[];
}

const nothing: SweepReport = { endedProcesses: 0, removedDirectories: 0, left: [] };

/** To be run when an engine starts. Never rejects; after an abort it leaves the rest to the next one. */
export async function sweepLeftovers(signal: AbortSignal, places?: LeftoverPlaces): Promise<SweepReport> {
  try {
    return await sweep(signal, places ?? findLeftoverPlaces());
  } catch {
    return nothing;
  }
}

async function sweep(signal: AbortSignal, places: LeftoverPlaces): Promise<SweepReport> {
  const reports: SweepReport[] = [];
  for (const engine of findDeadEngines(places)) {
    if (signal.aborted) break;
    reports.push(await sweepEngine(engine, places.locks).catch(() => ({ ...nothing, left: engine.paths })));
  }
  return {
    endedProcesses: sum(reports.map(({ endedProcesses }) => endedProcesses)),
    removedDirectories: sum(reports.map(({ removedDirectories }) => removedDirectories)),
    left: reports.flatMap(({ left }) => left),
  };
}

function findLeftoverPlaces(): LeftoverPlaces {
  const locks = findLockDirectory();
  // What an engine has begun to lock lies beside the locks, under its own tag.
  return { bases: [...listPrivateBases(), ...(locks === null ? [] : [locks])], locks };
}

async function sweepEngine({ isOfThisBoot, paths, numbers }: DeadEngine, locks: string | null): Promise<SweepReport> {
  const directories = paths.filter(isDirectory);
  const files = paths.filter((path) => !directories.includes(path));
  const { ended, survivors } = isOfThisBoot
    ? await endLeftProcesses([...files.flatMap(toSandbox), ...toUsers(numbers)])
    : { ended: 0, survivors: 0 };
  if (survivors > 0) return { endedProcesses: ended, removedDirectories: 0, left: directories };
  const left: string[] = [];
  for (const path of directories) if (!(await removeTree(path))) left.push(path);
  if (left.length === 0) {
    for (const path of files) rmSync(path, { force: true });
    if (locks !== null) for (const number of numbers) freeNumber(locks, number);
  }
  return { endedProcesses: ended, removedDirectories: directories.length - left.length, left };
}

function toSandbox(path: string): LeftSandbox[] {
  const record = path.endsWith(recordEnding) ? readRecord(path) : null;
  // A user of its own is known by the lock on its number, which stays as long as that is true.
  return record === null ? [] : [{ ...record, uid: null }];
}

/** A number that has been given to somebody else meanwhile says nothing any more. */
function toUsers(numbers: readonly HeldNumber[]): LeftSandbox[] {
  const isReserved = readReservedNumbers();
  return numbers
    .filter(({ number }) => !isReserved(number))
    .map(({ number }) => ({ processes: [], mark: null, uid: number }));
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
