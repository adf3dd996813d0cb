// What of the launcher's mounts outlasts it: the directories that a command works in, taken hold of while they can still be
// reached, filled before it begins, and read when nothing of it runs any more.
import { closeSync, constants, openSync, statSync } from 'node:fs';
import { collectBoxFiles, type Owner, writeBoxFiles } from '../box-files.ts';
import type { StartedChild, StartFailure } from '../launch.ts';
import type { Leavings, SandboxDirectory, SandboxLimits } from '../sandbox.ts';
import { readOverlayChanges } from '../staged/read-overlay-changes.ts';
import { readStartInstant, type StartInstant } from '../staged/start-instant.ts';
import type { LaunchPlan } from './compose-launch.ts';

export interface StageOptions {
  readonly child: StartedChild;
  readonly plan: LaunchPlan;
}

export interface HeldStage {
  readonly kind: 'held';
  /** A path to one of the held directories, which stays right when the sandbox is gone. */
  at(name: string): string;
  /** When what is staged is as it will be found. */
  readonly startedAt: StartInstant;
  /** Paths of what is size-capped. */
  readonly disks: readonly string[];
  close(): void;
}

/** Holds it, and puts there what the command is to find. Throws what the system refuses. */
export async function furnishStage(options: StageOptions): Promise<HeldStage | StartFailure> {
  const { directory } = options.plan;
  const held = holdStage(options);
  let isReady = false;
  try {
    if (!holdsWorkspace(options)) return replaced;
    if (directory.mode === 'ephemeral') await writeBoxFiles(held.at('box'), directory.files, toOwner(options.plan));
    const startedAt = await readStartInstant(
      toPath(options, 'clock'),
      directory.mode === 'staged' ? options.plan.askedAt : 0,
    );
    isReady = true;
    return { ...held, startedAt };
  } finally {
    if (!isReady) held.close();
  }
}

export async function readStage(
  held: HeldStage,
  directory: SandboxDirectory,
  limits: SandboxLimits,
): Promise<Leavings> {
  switch (directory.mode) {
    case 'ephemeral': {
      const files = await collectBoxFiles(held.at('box'), directory.collect, limits.diskBytes);
      return { kind: 'files', files };
    }
    case 'staged': {
      const { workspace: lower, hidden } = directory;
      return readOverlayChanges({
        upper: held.at('upper'),
        merged: held.at('merged'),
        lower,
        hidden,
        startedAt: held.startedAt,
      });
    }
    case 'bound':
      return { kind: 'nothing' };
  }
}

const replaced: StartFailure = {
  kind: 'not-started',
  stage: 'directory',
  reason: 'the workspace was replaced by another directory at this very moment',
};

/** The launcher takes the workspace by its path, which may lead elsewhere by then. */
function holdsWorkspace(options: StageOptions): boolean {
  const { directory, workspace } = options.plan;
  if (workspace === null) return true;
  const path = toPath(options, directory.mode === 'staged' ? 'lower' : 'bound');
  const { dev, ino } = statSync(path, { bigint: true });
  return dev === workspace.identity.device && ino === workspace.identity.inode;
}

/** As long as the launcher waits. */
const toPath = ({ child, plan }: StageOptions, name: string): string => `/proc/${child.pid}/root${plan.stage}/${name}`;

/** Descriptors keep a mount alive when nothing else does any more. */
function holdStage(options: StageOptions): Omit<HeldStage, 'startedAt'> {
  const names = { ephemeral: ['box'], staged: ['upper', 'merged'], bound: [] }[options.plan.directory.mode];
  const descriptors = new Map<string, number>();
  const close = (): void => {
    for (const descriptor of descriptors.values()) closeSync(descriptor);
    descriptors.clear();
  };
  try {
    for (const name of names) descriptors.set(name, openSync(toPath(options, name), holdFlags));
  } catch (error) {
    close();
    throw error;
  }
  const at = (name: string): string => `/proc/self/fd/${descriptors.get(name) ?? -1}`;
  return { kind: 'held', at, disks: names.slice(0, 1).map(at), close };
}

const holdFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Whom files of an ephemeral directory are given to; null: they are the engine's own already. */
function toOwner({ account }: LaunchPlan): Owner | null {
  return account.kind === 'dropped' ? account : null;
}
