// One change of a command, made in the workspace: placed, judged by the place it then uses, and applied there.
import type { WorkspaceChange } from '../sandbox/sandbox.ts';
import { applyChange } from './apply-change.ts';
import type { ChangeMade } from './guard.ts';
import { judgeChange } from './judge-change.ts';
import type { Permission } from './judged-place.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { placeEntry } from './place-entry.ts';

export async function makeChange(
  root: WorkspaceRoot,
  change: WorkspaceChange,
  permission: Permission & { readonly isFirstTry: boolean },
): Promise<ChangeMade> {
  const place = placeEntry(root, change.path);
  if (place.kind !== 'entry') {
    // What lies in a directory that is not there has been removed.
    if (place.kind === 'gone' && change.after === null) return { kind: 'made' };
    return { kind: 'unwritable', reason: `${JSON.stringify(change.path)} cannot be written: ${place.reason}` };
  }
  try {
    const because = judgeChange(root, place, change, permission);
    return because === null ? await applyChange(place, change, permission) : { kind: 'unpermitted', because };
  } finally {
    place.close();
  }
}
