// The guard of one workspace: which part answers which question of the port. It holds no policy of its own; every question
// brings the stance that it is judged by.
import { dirname } from 'node:path';
import type { DeclaredAct } from '../../shared/act.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { FetchPage } from '../net/fetch-page.ts';
import type { Stance } from '../policy/policy.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { fingerprintActs } from './fingerprint-acts.ts';
import { foreseeChange } from './foresee-change.ts';
import type { Guard } from './guard.ts';
import { createGuardedCommands } from './guarded-commands.ts';
import { createGuardedFetches } from './guarded-fetches.ts';
import { createGuardedFiles } from './guarded-files.ts';
import { HiddenPaths } from './hidden-paths.ts';
import { judgeAct } from './judge-act.ts';
import { withPlace } from './judged-place.ts';
import { LiveProcesses } from './live-processes.ts';
import { makeChange } from './make-change.ts';
import { openWorkspaceRoot, type WorkspaceRoot } from './open-workspace-root.ts';
import { placePath } from './place-path.ts';
import { readEntry } from './read-entry.ts';
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
export const openGuard = async (options: OpenGuardOptions): Promise<Guard> => holdGuard(options);

/** The same at once. */
export function holdGuard({ workspace, home, sandbox, fetchPage }: OpenGuardOptions): Guard {
  const root = openWorkspaceRoot(workspace, home);
  const hiddenPaths = new HiddenPaths(root);
  const processes = new LiveProcesses(root);
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
        processes,
      }),
    fetches: (stance, permitted, onHop = () => undefined) =>
      createGuardedFetches({ permission: { stance, permitted }, fetchPage: fetchPage ?? null, onHop }),
    replace: (path, { before, after, permitted }, stance) =>
      withPlace(root, { kind: 'write', path }, { stance, permitted }, ({ because, place, act }) => {
        const real = act.real ?? path;
        const refusal = because ?? processes.findObstacle(real);
        if (refusal !== null) return { kind: 'unpermitted', because: refusal };
        const replace = () => replaceFile(place, before, after);
        return processes.noting(real, replace, ({ kind }) => kind === 'replaced');
      }),
    hidden: (stance) => hiddenPaths.find(stance),
    change: async (change, { permitted, isFirstTry = false }, stance) => {
      const because = processes.findObstacle(change.path);
      if (because !== null) return { kind: 'unpermitted', because };
      const make = () => makeChange(root, change, { stance, permitted, isFirstTry });
      return await processes.noting(change.path, make, ({ kind }) => kind === 'made');
    },
    foresee: async (change, { permitted }, stance) => foreseeChange(root, change, { stance, permitted }),
    entry: (path, maxBytes) => readEntry(root, path, maxBytes),
    hash: (path) => settleHash(root, path),
    tidy: (paths) => tidy(root, paths),
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

async function tidy(root: WorkspaceRoot, paths: readonly string[]): Promise<void> {
  for (const path of new Map(paths.map((path) => [dirname(path), path])).values()) {
    const { place } = placePath(root, 'write', path);
    try {
      if (place.kind !== 'outside') await discardLeftovers(place.directory).catch(() => undefined);
    } finally {
      place.close();
    }
  }
}

/** Must not read as "nothing is there": the change would then be taken for one that never happened. */
function unsettledError(reason: string): EngineError {
  return new EngineError('workspace-unusable', `An interrupted change cannot be settled: ${reason}.`, {
    remedy: 'Put a readable file there, or remove what is there, and resume the run.',
  });
}
