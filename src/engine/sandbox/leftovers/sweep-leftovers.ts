// Clears away what engines that were killed have left on this machine: first what still runs, then directories, and last
// what makes both findable, so that an interrupted sweep can be taken up by the next. Nothing of an engine that may be alive
// is touched, and several sweeps at once do each other no harm.
import { lstatSync, rmSync } from 'node:fs';
import { findGroupBase } from '../control-group/claim-own-group.ts';
import { removeGroup } from '../control-group/end-group.ts';
import { findLockDirectory } from '../identity/lock-directory.ts';
import { freeNumber } from '../identity/number-locks.ts';
import { listPrivateBases } from '../ownership/private-base.ts';
import { removeTree } from '../remove-tree.ts';
import { endLeftProcesses } from './end-left-processes.ts';
import { type DeadEngine, findDeadEngines, type LeftoverPlaces } from './find-dead-engines.ts';
import { listLeftSandboxes } from './list-left-sandboxes.ts';

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

/** Where engines of this user leave things; `others` are directories for temporary files that only some of them had. */
export function findLeftoverPlaces(others: readonly string[] = []): LeftoverPlaces {
  const locks = findLockDirectory();
  // What an engine has begun to lock lies beside the locks, under its own tag.
  return {
    bases: [...listPrivateBases(others), ...(locks === null ? [] : [locks])],
    locks,
    controlGroups: findGroupBase(),
  };
}

async function sweepEngine(engine: DeadEngine, locks: string | null): Promise<SweepReport> {
  const { isOfThisBoot, paths, numbers } = engine;
  const directories = paths.filter(isDirectory);
  const files = paths.filter((path) => !directories.includes(path));
  const sandboxes = listLeftSandboxes(engine);
  const { ended, survivors } = isOfThisBoot ? await endLeftProcesses(sandboxes) : { ended: 0, survivors: [] };
  if (survivors.length > 0) return { endedProcesses: ended, removedDirectories: 0, left: directories };
  const left: string[] = [];
  const controlGroups = sandboxes.flatMap(({ controlGroup }) => controlGroup ?? []);
  for (const path of controlGroups) if (!(await removeGroup(path))) left.push(path);
  for (const path of directories) if (!(await removeTree(path))) left.push(path);
  if (left.length === 0) {
    for (const path of files) rmSync(path, { force: true });
    if (locks !== null) for (const number of numbers) freeNumber(locks, number);
  }
  return { endedProcesses: ended, removedDirectories: directories.length - left.length, left };
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
