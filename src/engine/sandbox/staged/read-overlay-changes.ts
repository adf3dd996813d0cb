// What a command left in an overlay over the workspace. Only what lies in the upper layer is looked at, so that it takes as
// long as the change set is large. The attributes by which the kernel marks a directory as replaced cannot be read from
// here: it is told by what it lacks of the workspace's.
import { type BigIntStats, lstatSync } from 'node:fs';
import { type HeldDirectory, openHeldDirectory } from '../held-directory.ts';
import type { Leavings } from '../sandbox.ts';
import { compareTrees } from './compare-trees.ts';
import { type Entry, listBytes, lookUpReadable, type StagedDirectory } from './staged-tree.ts';
import type { StartInstant } from './start-instant.ts';

export interface OverlayOptions {
  /** Paths of the two directories that the caller holds: they lead there although nothing is mounted any more. */
  readonly upper: string;
  readonly merged: string;
  /** The workspace's real path. */
  readonly lower: string;
  /** Relative paths that were whiteouts from the beginning. */
  readonly hidden: readonly string[];
  readonly startedAt: StartInstant;
}

/** Nothing may run in the overlay any more. Whoever changes the workspace meanwhile is seen, and wins. */
export async function readOverlayChanges(options: OverlayOptions): Promise<Leavings> {
  const { lower: workspace, hidden } = options;
  const isRecent = createRecency(options.startedAt);
  const root = openOverlay(options, isRecent);
  try {
    const isForeign = (_: string, now: BigIntStats | null) => now !== null && isRecent(now);
    return await compareTrees({ tree: { root, isForeign }, workspace, hidden });
  } finally {
    root.close();
  }
}

/** Clocks that are drawn to the right time do not go back by more than this and a thousandth of what has passed. */
const maxDriftMs = 50;

/** Whether an entry was changed since; everything counts as changed when the clock was put back meanwhile. */
function createRecency({ wallMs, monotonicMs, fileNs }: StartInstant): (stats: BigIntStats) => boolean {
  const passedMs = performance.now() - monotonicMs;
  const isClockPutBack = Date.now() - wallMs < passedMs - passedMs / 1000 - maxDriftMs;
  return ({ ctimeNs }) => isClockPutBack || ctimeNs >= (isRounded(ctimeNs) ? fileNs - coarsestNs : fileNs);
}

/** Some file systems keep whole seconds, or every second one. */
const isRounded = (ns: bigint): boolean => ns % 1_000_000_000n === 0n;
const coarsestNs = 2_000_000_000n;

type Recency = ReturnType<typeof createRecency>;

function openOverlay({ upper, merged }: Pick<OverlayOptions, 'upper' | 'merged'>, isRecent: Recency): StagedDirectory {
  const held = openHeldDirectory(`${upper}/.`);
  try {
    return toStaged({ upper: held, merged: openHeldDirectory(`${merged}/.`) }, isRecent);
  } catch (error) {
    held.close();
    throw error;
  }
}

interface Layers {
  readonly upper: HeldDirectory;
  readonly merged: HeldDirectory;
}

function toStaged({ upper, merged }: Layers, isRecent: Recency): StagedDirectory {
  return {
    listNames: (_, before) => listNames({ upper, merged }, before, isRecent),
    lookUp: (name) => lookUp({ upper, merged }, name, isRecent),
    close() {
      upper.close();
      merged.close();
    },
  };
}

/** What the upper layer has, and, where it stands in place of the workspace's directory, what that one has besides. */
function listNames({ upper, merged }: Layers, before: HeldDirectory | null, isRecent: Recency): Buffer[] {
  const names = listBytes(upper);
  if (before === null) return names;
  const kept = new Set([...names, ...listBytes(merged)].map(toKey));
  const missing = listBytes(before).filter((name) => !kept.has(toKey(name)));
  // Where only new names are missing they were never in the overlay: it was asked for its names before they were made.
  return missing.some((name) => !isNew(before, name, isRecent)) ? [...names, ...missing] : names;
}

function isNew(directory: HeldDirectory, name: Buffer, isRecent: Recency): boolean {
  const path = Buffer.concat([Buffer.from(directory.at('')), name]);
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined || isRecent(stats);
}

/** Through the overlay, which would not notice that the entry was made readable below it. */
function lookUp({ upper, merged }: Layers, name: string, isRecent: Recency): Entry<StagedDirectory> | null {
  const found = lookUpReadable(merged.at(name));
  const at = upper.at(name);
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  if (found === null || stats === undefined) return null;
  return { at, stats, mode: found.mode, open: () => openBoth({ upper, merged }, name, isRecent) };
}

function openBoth({ upper, merged }: Layers, name: string, isRecent: Recency): StagedDirectory {
  const inner = upper.open(name);
  try {
    return toStaged({ upper: inner, merged: merged.open(name) }, isRecent);
  } catch (error) {
    inner.close();
    throw error;
  }
}

const toKey = (name: Buffer): string => name.toString('latin1');
