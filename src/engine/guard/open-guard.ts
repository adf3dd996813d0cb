// The guard of one workspace. It judges again at the moment of use, on the very place it then uses: a file may have become
// a link since the act was judged, and what is read or replaced must be what was asked about.
import { hash } from 'node:crypto';
import { EngineError } from '../../shared/engine-error.ts';
import { hashBytes } from '../journal/create-blob.ts';
import type { Policy } from '../policy/policy.ts';
import { toPolicyText } from '../policy/to-policy-text.ts';
import { ActJudge, type PlacedAct } from './act-judge.ts';
import type { Guard, GuardedFiles } from './guard.ts';
import { listDirectory } from './list-directory.ts';
import { openWorkspaceRoot } from './open-workspace-root.ts';
import { readRegularFile } from './read-regular-file.ts';
import { maxReplacedBytes, replaceFile } from './replace-file.ts';
import { createSearch } from './search-workspace.ts';
import { discardLeftovers } from './temporary-file.ts';

export interface OpenGuardOptions {
  /** Absolute path of the directory the run works in. */
  readonly workspace: string;
  /** The engine's own directory, which no act ever reaches; null when it keeps none. */
  readonly home: string | null;
  readonly policy: Policy;
}

/** Throws `workspace-unusable`. The guard holds the workspace until it is closed, which may happen twice. */
export async function openGuard({ workspace, home, policy }: OpenGuardOptions): Promise<Guard> {
  const root = openWorkspaceRoot(workspace);
  const judge = new ActJudge({ root, home, policy });
  return {
    workspace: root.identity,
    policyHash: hash('sha256', toPolicyText(policy)),
    files: createFiles(judge, root.identity.path),
    judge: async (act) => {
      if (act.kind === 'exec' || act.kind === 'net') return judge.judgeResolved({ ...act, real: act.target });
      return judge.withPlace(act.kind, act.target, ({ act, verdict }) => ({ act, verdict }));
    },
    replace: (path, before, after) =>
      judge.withPlace('write', path, (act) => {
        const reason = findRefusal(act);
        return reason === null ? replaceFile(act.place, before, after) : { kind: 'unwritable', reason };
      }),
    hash: (path) => judge.withPlace('write', path, settleHash),
    close: () => judge.close(),
  };
}

function createFiles(judge: ActJudge, root: string): GuardedFiles {
  return {
    hashOf: hashBytes,
    read: (path, maxBytes) =>
      judge.withPlace('read', path, (act) => {
        const reason = findRefusal(act);
        return reason === null ? readRegularFile(act.place, maxBytes) : { kind: 'unreadable', reason };
      }),
    list: (path) =>
      judge.withPlace('read', path, (act) => {
        const reason = findRefusal(act);
        if (reason !== null) return { kind: 'unreadable', reason };
        return listDirectory(act.place, (entry) => judge.isEntryShown(act.act, entry));
      }),
    ...createSearch({ root, locate: (path) => judge.locate(path) }),
  };
}

/** A person was asked before, if need be; a denial stands whoever was asked. */
function findRefusal({ verdict }: PlacedAct): string | null {
  return verdict.effect === 'deny' ? verdict.because : null;
}

async function settleHash({ place }: PlacedAct) {
  // What cannot be removed is litter, and no reason to leave the change unsettled.
  if (place.kind !== 'outside') await discardLeftovers(place.directory).catch(() => undefined);
  const read = await readRegularFile(place, maxReplacedBytes);
  if (read.kind === 'unreadable') throw unsettledError(read.reason);
  return read.kind === 'file' ? read.file.hash : null;
}

/** Must not read as "nothing is there": the change would then be taken for one that never happened. */
function unsettledError(reason: string): EngineError {
  return new EngineError('workspace-unusable', `An interrupted change cannot be settled: ${reason}.`, {
    remedy: 'Put a readable file there, or remove what is there, and resume the run.',
  });
}
