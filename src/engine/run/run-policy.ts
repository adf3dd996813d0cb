// The policy of a run: of which scopes it is composed, and what is kept of them in the journal. What the repository and
// whoever started the run said stays as it was at the start; what the person says is read anew each time a driver takes over.
import { hash } from 'node:crypto';
import type { BlobRef } from '../../shared/blob-ref.ts';
import { isEngineError } from '../../shared/engine-error.ts';
import { loadOwnScopes, loadRepositoryScope, loadScopes } from '../guard/load-scopes.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { JournalReader, NewBlob } from '../journal/journal.ts';
import { composePolicy, PolicyScopes } from '../policy/compose-policy.ts';
import { toContractScopes } from '../policy/contract-scope.ts';
import type { Policy } from '../policy/policy.ts';
import { toPolicyText } from '../policy/to-policy-text.ts';

export interface RunPolicy {
  readonly policy: Policy;
  readonly hash: string;
  /** The scopes, for the event that begins or goes on with the run. */
  readonly blob: NewBlob;
  /** The repository's file says something else than it did when the run began. */
  readonly isRepositoryChanged: boolean;
}

export interface RunPolicyOptions {
  readonly home: string;
  /** Real path. */
  readonly workspace: string;
  readonly policyFile: string | null;
  /** What the contract of a new run protects; an old one has it among its scopes. */
  readonly protect?: readonly string[];
  /** Those of the run as it was last driven; null for a new one. */
  readonly before: PolicyScopes | null;
}

/** Throws `policy-invalid` or `contract-invalid` for what cannot be read, is malformed, or may not say what it says. */
export function openRunPolicy({ home, workspace, policyFile, protect = [], before }: RunPolicyOptions): RunPolicy {
  const scopes =
    before === null
      ? [...loadScopes({ home, workspace, policyFile }), ...toContractScopes(protect)]
      : keepFixed(loadOwnScopes({ home, workspace, policyFile }), before, policyFile !== null);
  const policy = composePolicy(scopes);
  return {
    policy,
    hash: hash('sha256', toPolicyText(policy)),
    blob: createBlob(JSON.stringify(scopes), { origin: 'engine' }),
    isRepositoryChanged: before !== null && isRepositoryChanged(workspace, before),
  };
}

/** The scopes that a run was begun or gone on with; null where none were kept. */
export function readScopes(reader: Pick<JournalReader, 'readBlob'>, blob: BlobRef | null): PolicyScopes | null {
  if (blob === null) return null;
  return PolicyScopes.parse(JSON.parse(new TextDecoder().decode(reader.readBlob(blob.hash))));
}

function keepFixed(own: PolicyScopes, before: PolicyScopes, hasNewFile: boolean): PolicyScopes {
  const isFixed = (origin: string) =>
    origin === 'repository' || origin === 'contract' || (origin === 'app' && !hasNewFile);
  return [...own, ...before.filter(({ origin }) => isFixed(origin))];
}

/** Its file is not applied any more, so one that has become unusable must not keep the run from being gone on with. */
function isRepositoryChanged(workspace: string, before: PolicyScopes): boolean {
  try {
    return toRepositoryText(loadRepositoryScope(workspace)) !== toRepositoryText(before);
  } catch (error) {
    if (isEngineError(error) && error.code === 'policy-invalid') return true;
    throw error;
  }
}

const toRepositoryText = (scopes: PolicyScopes): string =>
  JSON.stringify(scopes.find(({ origin }) => origin === 'repository')?.policy ?? null);
