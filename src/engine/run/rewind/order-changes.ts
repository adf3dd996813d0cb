// The order in which paths can be put back: what is removed goes first, what lies in a directory before it; then directories
// come before what lies in them.
import type { PlannedFile } from './planned-file.ts';

export function orderChanges(files: readonly PlannedFile[]): PlannedFile[] {
  return files.toSorted(
    (left, right) => toRank(left) - toRank(right) || toDirection(left) * comparePaths(left.path, right.path),
  );
}

function toRank({ change }: PlannedFile): number {
  if (change === null) return 2;
  return change.after === null ? 0 : 1;
}

const toDirection = ({ change }: PlannedFile): number => (change !== null && change.after === null ? -1 : 1);

/** A path sorts before everything below it. */
function comparePaths(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
