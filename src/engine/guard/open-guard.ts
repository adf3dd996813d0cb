// The guard of one workspace: which part answers which question of the port. It holds no policy of its own; every question
// brings the stance that it is judged by.
import type { DeclaredAct } from '../../shared/act.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { FetchPage } from '../net/fetch-page.ts';
import type { Stance } from '../policy/policy.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { fingerprintActs } from './fingerprint-acts.ts';
import type { Guard } from './guard.ts';
import { createGuardedCommands } from './guarded-commands.ts';
import { createGuardedFetches } from './guarded-fetches.ts';
import { createGuardedFiles } from './guarded-files.ts';
import { HiddenPaths } from './hidden-paths.ts';
import { judgeAct } from './judge-act.ts';
import { withPlace } from './judged-place.ts';
import { makeChange } from './make-change.ts';
import { openWorkspaceRoot, type WorkspaceRoot } from './open-workspace-root.ts';
import { placePath } from './place-path.ts';
import { readRegularFile } from './read-regular-file.ts';
import { maxReplacedBytes, replaceFile } from './replace-file.ts';
import { discardLeftovers } from './temporary-file.ts';

export interface OpenGuardOptions {
  /** Absolute path of the directory the run works in. */
  readonly workspace: string;
  /** The engine's own directory, which no act ever reaches; null when it keeps none. */
  readonly home: string | null;
  /** Runs the commands that the guard lets pass. */
  readonly sandbox: Sandbox;
  /** Gets the pages that the guard lets pass; without it none is fetched. */
  readonly fetchPage?: FetchPage;
}

/** Throws `workspace-unusable`. The guard holds the workspace until it is closed, which may happen twice. */
export async function openGuard({ workspace, home, sandbox, fetchPage }: OpenGuardOptions): Promise<Guard> {
  const root = openWorkspaceRoot(workspace, home);
  const hiddenPaths = new HiddenPaths(root);
  const judge = (act: DeclaredAct, stance: Stance) => judgeAct(root, act, stance);
  return {
    workspace: root.identity,
    judge,
    files: (stance, permitted) => createGuardedFiles(root, { stance, permitted }),
    commands: (stance, onAttempt = () => undefined) =>
      createGuardedCommands({
        root,
        sandbox,
        stance,
        onAttempt,
        judge: (act) => judge(act, stance),
        hidden: () => hiddenPaths.find(stance),
      }),
    fetches: (stance, permitted) =>
      createGuardedFetches({ permission: { stance, permitted }, fetchPage: fetchPage ?? null }),
    replace: (path, { before, after, permitted }, stance) =>
      withPlace(root, { kind: 'write', path }, { stance, permitted }, ({ because, place }) =>
        because === null ? replaceFile(place, before, after) : { kind: 'unpermitted', because },
      ),
    hidden: (stance) => hiddenPaths.find(stance),
    change: (change, { permitted }, stance) => makeChange(root, change, { stance, permitted }),
    hash: (path) => settleHash(root, path),
    fingerprint: (acts) => fingerprintActs(root, acts),
    close: () => root.close(),
  };
}

async function settleHash(root: WorkspaceRoot, path: string) {
  const { place } = placePath(root, 'write', path);
  try {
    // What cannot be removed is litter, and no reason to leave the change unsettled.
    if (place.kind !== 'outside') await discardLeftovers(place.directory).catch(() => undefined);
    const read = await readRegularFile(place, maxReplacedBytes);
    if (read.kind === 'unreadable') throw unsettledError(read.reason);
    return read.kind === 'file' ? read.file.hash : null;
  } finally {
    place.close();
  }
}

/** Must not read as "nothing is there": the change would then be taken for one that never happened. */
function unsettledError(reason: string): EngineError {
  return new EngineError('workspace-unusable', `An interrupted change cannot be settled: ${reason}.`, {
    remedy: 'Put a readable file there, or remove what is there, and resume the run.',
  });
}
