// The repository's own policy file is read once, when the run starts. What becomes of it afterwards is shown, and changes
// nothing: else an agent could loosen by a write what it is bound by.
import type { BlobHash } from '../../shared/id.ts';
import type { Guard } from '../guard/guard.ts';

/** Where a workspace keeps rules that narrow what may be done in it. */
export const repositoryPolicyFile = '.io-studio/policy.jsonc';

/** Says once of each new content of the file that it is not applied; null while there is nothing to say. */
export type PolicyWatch = () => Promise<{ readonly file: string; readonly because: string } | null>;

/** `isChanged`: it was already another one when this driver took over. */
export async function createPolicyWatch(guard: Pick<Guard, 'hash'>, isChanged: boolean): Promise<PolicyWatch> {
  let known = isChanged ? undefined : await findHash(guard);
  return async () => {
    const hash = await findHash(guard);
    if (hash === known) return null;
    known = hash;
    return {
      file: repositoryPolicyFile,
      because: 'it changed while the run was on; the run goes by what it was before',
    };
  };
}

/** A file that cannot be looked at has no content that could be new. */
async function findHash(guard: Pick<Guard, 'hash'>): Promise<BlobHash | null> {
  return guard.hash(repositoryPolicyFile).catch(() => null);
}
