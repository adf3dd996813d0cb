// Whether a change of an entry may be made: by what its own path says, and for a link also by what it would lead to. A link is
// a second name: nothing may get one that could not be read or written by its own.
import type { WorkspaceChange } from '../sandbox/sandbox.ts';
import { findRefusal, judgeResolved } from './judge-resolved.ts';
import type { Permission } from './judged-place.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import type { EntryPlace } from './place-entry.ts';
import { placeLinkTarget } from './place-link-target.ts';

/** Why it may not, or null when it may. */
export function judgeChange(
  root: WorkspaceRoot,
  entry: Extract<EntryPlace, { kind: 'entry' }>,
  { path, after }: WorkspaceChange,
  { stance, permitted }: Permission,
): string | null {
  const { verdict } = judgeResolved({ act: entry.act, refusal: null }, stance);
  const refusal = findRefusal(verdict, permitted);
  if (refusal !== null || after?.kind !== 'link') return refusal;
  for (const kind of ['read', 'write'] as const) {
    const denial = findRefusal(
      judgeResolved(placeLinkTarget(root, kind, { path, target: after.target }), stance).verdict,
      'ask',
    );
    if (denial !== null) return `${JSON.stringify(path)} would be a link, and ${denial}`;
  }
  return null;
}
