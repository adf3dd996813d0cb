// Encloses commands by Landlock and a system call filter, where no namespaces are to be had: they read the system's programs,
// the toolchains and the directory they work in, write nothing else, reach no network and signal nobody. They do see which
// processes and files there are, and a launcher stays with them to see all of theirs ended.
import { randomUUID } from 'node:crypto';
import { treeVariable } from '../../process/process-index.ts';
import { createControlGroup } from '../control-group/control-group.ts';
import { openDiskMeter } from '../disk/disk-meter.ts';
import { noIdentity } from '../identity/no-identity.ts';
import { takeIdentity } from '../identity/take-identity.ts';
import type { Backend, Launch, StartFailure } from '../launch.ts';
import { type LaidOut, type LayOutOptions, layOutDirectory } from '../lay-out-directory.ts';
import { findInside } from '../linux/find-inside.ts';
import { readArchitecture } from '../linux/read-architecture.ts';
import { composeSeccomp } from '../linux/seccomp.ts';
import { createPrivateDirectory } from '../private-directory.ts';
import type { SandboxSpec } from '../sandbox.ts';
import { toSandboxEnvironment } from '../toolchain/to-sandbox-environment.ts';
import { toSandboxMounts } from '../toolchain/to-sandbox-mounts.ts';
import type { Mount, Toolchain } from '../toolchain/toolchain.ts';
import { type EnclosurePlan, launcherProcesses } from './compose-enclosure.ts';
import { createLaunch } from './create-launch.ts';
import { layOutTemporary, type Temporary } from './lay-out-temporary.ts';
import { listReadable, writableDevices } from './visible-places.ts';

export interface LandlockBackendOptions {
  /** The host's, by its absolute path. */
  readonly perl: string;
  /** Such as every user can get at: a command is given no way past a directory that is shut to it. */
  readonly toolchains: readonly Toolchain[];
  readonly extraMounts: readonly Mount[];
}

export function createLandlockBackend(options: LandlockBackendOptions): Backend {
  return { isolation: 'landlock', prepare: (spec, signal) => prepare(options, spec, signal) };
}

/** It can open a port of all machines, never of one: nothing leads a command to a proxy and nowhere else. */
const noNetwork: StartFailure = {
  kind: 'not-started',
  stage: 'unavailable',
  reason: 'Landlock cannot keep a command to some hosts, so it gets no network here',
  advice: 'Install bubblewrap, with which commands reach the hosts that are allowed and no other.',
};

async function prepare(
  options: LandlockBackendOptions,
  spec: SandboxSpec,
  signal: AbortSignal,
): Promise<Launch | StartFailure> {
  if (spec.network?.kind === 'proxy') return noNetwork;
  await using owned = new AsyncDisposableStack();
  const identity = await takeIdentity();
  if (identity === null) return noIdentity;
  owned.use(identity);
  const controlGroup = createControlGroup({ limits: spec.limits, ownProcesses: launcherProcesses });
  if (controlGroup !== null) owned.use(controlGroup);
  const owner = identity.isOwn ? null : identity;
  const scratch = owned.use(await createPrivateDirectory(owner));
  const room = await furnish(options, spec, {
    into: scratch.path,
    owner,
    maxFileBytes: spec.limits.diskBytes,
    signal,
  });
  if (room.kind === 'not-started') return room;
  const directories = spec.directory.mode === 'bound' ? [] : [room.place.path];
  const disk = owned.use(
    await openDiskMeter({ directories: [room.temporary.path, ...directories], limitBytes: spec.limits.diskBytes }),
  );
  const mark = randomUUID();
  const plan: EnclosurePlan = {
    account: { kind: identity.isOwn ? 'own' : 'dropped', uid: identity.uid, gid: identity.gid },
    directory: room.place.path,
    environment: { ...room.environment, [treeVariable]: mark },
    limits: spec.limits,
    controlGroup,
    readable: listReadable(room.temporary.mounts),
    writable: [room.place.path, room.temporary.path, ...writableDevices],
    filter: composeSeccomp(readArchitecture(), { unixSockets: false, inetSockets: false }),
    argv: [room.program, ...spec.argv.slice(1)],
  };
  const { perl } = options;
  const { place } = room;
  return createLaunch({ perl, plan, place, mark, disk, controlGroup, identity, resources: owned.move() });
}

/** What one command finds of its own. */
interface Room {
  readonly kind: 'room';
  readonly temporary: Temporary;
  readonly place: LaidOut;
  readonly environment: Readonly<Record<string, string>>;
  /** By its path for the command. */
  readonly program: string;
}

/** What may not be read is not missing, as it is elsewhere; git gives up then. */
const noSystemSettings = { GIT_CONFIG_NOSYSTEM: '1' };

async function furnish(
  { toolchains, extraMounts }: LandlockBackendOptions,
  { argv, directory, environment: wanted }: SandboxSpec,
  options: LayOutOptions,
): Promise<Room | StartFailure> {
  const { into, owner } = options;
  const temporary = await layOutTemporary(into, owner, (path) => toSandboxMounts(toolchains, extraMounts, path));
  if (temporary.kind === 'not-started') return temporary;
  const { path, mounts } = temporary;
  const fixed = toSandboxEnvironment(toolchains, { home: path, temporary: path });
  const environment: Record<string, string> = { ...wanted, ...fixed, ...noSystemSettings };
  const program = findInside(argv[0], { path: environment.PATH ?? '', directory, view: { environment, mounts } });
  if (program.kind === 'not-started') return program;
  const place = await layOutDirectory(directory, options);
  if (place.kind === 'not-started') return place;
  return { kind: 'room', temporary, place, environment, program: place.toInside(program.path) };
}
