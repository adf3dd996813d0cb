// Whether a change would be let through, by the very judgement that making it passes: for whoever wants to know before.
import type { WorkspaceChange } from '../sandbox/sandbox.ts';
import { judgeChange } from './judge-change.ts';
import { findRefusal, judgeResolved } from './judge-resolved.ts';
import type { Permission } from './judged-place.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { placeEntry } from './place-entry.ts';
import { placePath } from './place-path.ts';

/** Why it would not, or null when it would. */
export function foreseeChange(root: WorkspaceRoot, change: WorkspaceChange, permission: Permission): string | null {
  const place = placeEntry(root, change.path);
  switch (place.kind) {
    case 'elsewhere':
      return place.reason;
    case 'gone':
      return judgeUnplaced(root, change.path, permission);
    case 'entry':
      try {
        return judgeChange(root, place, change, permission);
      } finally {
        place.close();
      }
  }
}

/** Its directory has yet to be made. */
function judgeUnplaced(root: WorkspaceRoot, path: string, { stance, permitted }: Permission): string | null {
  const { place, act } = placePath(root, 'write', path);
  place.close();
  return findRefusal(
    judgeResolved({ act: { ...act, target: path, real: path }, refusal: null }, stance).verdict,
    permitted,
  );
}
