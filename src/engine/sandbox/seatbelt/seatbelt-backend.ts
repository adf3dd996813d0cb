// Encloses commands by Seatbelt, the sandbox of macOS: they read the system's programs, the toolchains and the directory
// they work in, write that one and a temporary directory, reach no network, and see and signal no process but their own.
// Nothing of macOS counts a tree or ends it as a whole: that is done by looking.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { takeIdentity } from '../identity/take-identity.ts';
import { layOutTemporary } from '../landlock/lay-out-temporary.ts';
import type { Backend, Launch, StartFailure } from '../launch.ts';
import { type LayOutOptions, layOutDirectory } from '../lay-out-directory.ts';
import { createPrivateDirectory } from '../private-directory.ts';
import type { SandboxDirectory, SandboxSpec } from '../sandbox.ts';
import { toSandboxEnvironment } from '../toolchain/to-sandbox-environment.ts';
import { toSandboxMounts } from '../toolchain/to-sandbox-mounts.ts';
import type { Mount, Toolchain } from '../toolchain/toolchain.ts';
import { composeProfile, type ProfileView } from './compose-profile.ts';
import { createLaunch } from './create-launch.ts';
import { findEnclosed } from './find-enclosed.ts';
import { machineProcesses, type ProcessSources } from './list-processes.ts';

export interface SeatbeltBackendOptions {
  /** The host's, by its absolute path. */
  readonly sandboxExec: string;
  readonly toolchains: readonly Toolchain[];
  readonly extraMounts: readonly Mount[];
  readonly sources?: ProcessSources;
}

export function createSeatbeltBackend(options: SeatbeltBackendOptions): Backend {
  return { isolation: 'seatbelt', prepare: (spec, signal) => prepare(options, spec, signal) };
}

/** It can open a port of this machine, on which any program may listen, and never that of one host. */
const noNetwork: StartFailure = {
  kind: 'not-started',
  stage: 'unavailable',
  reason: 'Seatbelt cannot keep a command to some hosts, so it gets no network here',
};

const noIdentity: StartFailure = {
  kind: 'not-started',
  stage: 'unavailable',
  reason: 'no command may run as the superuser, and there is no other user to run it as',
  advice: 'Run the engine as an ordinary user.',
};

async function prepare(
  options: SeatbeltBackendOptions,
  spec: SandboxSpec,
  signal: AbortSignal,
): Promise<Launch | StartFailure> {
  if (spec.network?.kind === 'proxy') return noNetwork;
  await using owned = new AsyncDisposableStack();
  const identity = await takeIdentity();
  if (identity === null) return noIdentity;
  owned.use(identity);
  const owner = identity.isOwn ? null : identity;
  const scratch = owned.use(await createPrivateDirectory(owner));
  const settled = await settle(options, spec, {
    into: scratch.path,
    owner,
    maxFileBytes: spec.limits.diskBytes,
    signal,
  });
  if (settled.kind === 'not-started') return settled;
  const { place, view, environment } = settled;
  const program = findEnclosed(spec.argv[0], { searchPath: environment.PATH ?? '', place, view });
  if (program.kind === 'not-started') return program;
  // Beside the places of the command: of that directory it may learn no more than that it is there.
  const profile = join(scratch.path, 'profile.sb');
  await writeFile(profile, composeProfile(view), { mode: 0o644 });
  return createLaunch({
    sandboxExec: options.sandboxExec,
    profile,
    argv: [program.path, ...spec.argv.slice(1)],
    environment,
    limits: spec.limits,
    owner,
    place,
    sources: options.sources ?? machineProcesses,
    resources: owned.move(),
  });
}

/** Where the command works, what it sees, and its environment. */
async function settle({ toolchains, extraMounts }: SeatbeltBackendOptions, spec: SandboxSpec, options: LayOutOptions) {
  const temporary = await layOutTemporary(options.into, options.owner, (path) =>
    toSandboxMounts(toolchains, extraMounts, path),
  );
  if (temporary.kind === 'not-started') return temporary;
  const place = await layOutDirectory(toOpen(spec.directory), options);
  if (place.kind === 'not-started') return place;
  const view: ProfileView = {
    readable: temporary.mounts.map(({ source }) => source),
    writable: [place.path, temporary.path],
    hidden: toHidden(spec.directory),
  };
  const places = { home: temporary.path, temporary: temporary.path };
  const environment = { ...spec.environment, ...toSandboxEnvironment(toolchains, places) };
  return { kind: 'settled', place, view, environment } as const;
}

/** What cannot be left out of the directory is refused by the profile. */
function toOpen(directory: SandboxDirectory): SandboxDirectory {
  return directory.mode === 'bound' ? { ...directory, hidden: [] } : directory;
}

function toHidden(directory: SandboxDirectory): readonly string[] {
  return directory.mode === 'bound' ? directory.hidden.map((path) => join(directory.workspace, path)) : [];
}
