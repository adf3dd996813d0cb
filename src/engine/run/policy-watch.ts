// The repository's own policy file is read once, when the run starts. What becomes of it afterwards is shown, and changes
// nothing: else an agent could loosen by a write what it is bound by.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { BlobHash } from '../../shared/id.ts';
import type { Guard } from '../guard/guard.ts';

/** Where a workspace keeps rules that narrow what may be done in it. */
export const repositoryPolicyFile = '.io-studio/policy.jsonc';

/** Says once of each new content of the file that it is not applied; null while there is nothing to say. */
export type PolicyWatch = () => Promise<{ readonly file: string; readonly because: string } | null>;

/** `isChanged`: it was already another one when this driver took over. */
export async function createPolicyWatch(
  guard: Pick<Guard, 'hash' | 'workspace'>,
  isChanged: boolean,
): Promise<PolicyWatch> {
  const path = join(guard.workspace.path, repositoryPolicyFile);
  let seen = isChanged ? null : readMarks(path);
  let known = isChanged ? undefined : await findHash(guard);
  return async () => {
    const marks = readMarks(path);
    if (marks === seen) return null; // It is looked at after every step, and read only where something is new.
    seen = marks;
    const hash = await findHash(guard);
    if (hash === known) return null;
    known = hash;
    return {
      file: repositoryPolicyFile,
      because: 'it changed while the run was on; the run goes by what it was before',
    };
  };
}

/** What cannot be the same for another content; empty where nothing is there. */
function readMarks(path: string): string {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
  } catch {
    return ''; // A directory on the way is none, or may not be entered.
  }
}

/** A file that cannot be looked at has no content that could be new. */
async function findHash(guard: Pick<Guard, 'hash'>): Promise<BlobHash | null> {
  return guard.hash(repositoryPolicyFile).catch(() => null);
}
