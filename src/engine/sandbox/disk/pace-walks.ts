// When to go through the directories of a command again. Pure. As seldom as it can be done while what the file system tells
// at no cost does not speak of a cap that is near.

/** What a file system has left. */
export interface Free {
  readonly bytes: number;
  /** Files that can still be made. */
  readonly entries: number;
}

export interface LastWalk {
  /** When it began. */
  readonly free: Free;
  readonly tookMs: number;
  readonly sinceMs: number;
}

/** `roomBytes`: what the last walk left until the cap. */
export function isWalkDue(free: Free, last: LastWalk, roomBytes: number): boolean {
  const hasMoved = free.bytes !== last.free.bytes || free.entries !== last.free.entries;
  if (!hasMoved) return last.sinceMs >= Math.max(unmovedMs, last.tookMs * usualShare);
  const lostBytes = Math.max(0, last.free.bytes - free.bytes);
  const lostEntries = Math.max(0, last.free.entries - free.entries);
  // Of what is written meanwhile it cannot be told who writes it, so half of the room is enough to ask.
  const isUrgent = lostBytes + lostEntries * bytesPerEntry > roomBytes / 2;
  return last.sinceMs >= (isUrgent ? last.tookMs * urgentShare : Math.max(usualMs, last.tookMs * usualShare));
}

const usualMs = 250;
/** Some file systems do not say what they have left. */
const unmovedMs = 5_000;
/** A walk is followed by so many times its own length: at most 5% of a core in general, a quarter close to the cap. */
const usualShare = 20;
const urgentShare = 3;

/** An entry without content takes room too. */
export const bytesPerEntry = 1024;
