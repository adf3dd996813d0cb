// Directories that a file needs to be put back into and that somebody else has removed since.
import type { ChangedEntry } from '../../sandbox/sandbox.ts';
import type { PlannedFile, PutBackOptions } from './planned-file.ts';

const newDirectory: ChangedEntry = { kind: 'directory', mode: 0o755 };

export async function toMissingParents(
  { guard, stance }: PutBackOptions,
  files: readonly PlannedFile[],
): Promise<PlannedFile[]> {
  const known = new Set(files.filter(({ change }) => change?.after?.kind === 'directory').map(({ path }) => path));
  const parents: PlannedFile[] = [];
  for (const { path, change } of files) {
    if (change === null || change.after === null) continue;
    for (const above of toAbove(path)) {
      if (known.has(above)) continue;
      known.add(above);
      const read = await guard.entry(above, 0);
      if (read.kind === 'unreadable' || read.entry !== null) continue;
      const made = { path: above, before: null, after: newDirectory };
      if ((await guard.foresee(made, { permitted: 'ask' }, stance)) !== null) continue;
      parents.push({ path: above, fate: 'restored', change: made, isForeign: false });
    }
  }
  return parents;
}

/** The directories above a path, from the top. */
function toAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_part, place) => parts.slice(0, place + 1).join('/'));
}
