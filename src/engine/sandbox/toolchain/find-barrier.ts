import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** The topmost of a path and the directories above it that is shut to everybody but its owner and group; null: none is. */
export function findBarrier(path: string): string | null {
  const parent = dirname(path);
  const above = parent === path ? null : findBarrier(parent);
  if (above !== null) return above;
  const stats = statSync(path);
  const needed = stats.isDirectory() ? searchableByOthers : readableByOthers;
  return (stats.mode & needed) === needed ? null : path;
}

const searchableByOthers = 0o001;
const readableByOthers = 0o004;
