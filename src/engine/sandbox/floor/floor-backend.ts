// The portable floor under every other backend: caps, an environment of its own and a private home, but no boundary. A
// command reaches what its user reaches, and the result says so. That user is never the superuser.
import { randomUUID } from 'node:crypto';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { treeVariable } from '../../process/process-index.ts';
import { type ChildProgram, startChild } from '../../process/start-child.ts';
import type { Owner } from '../box-files.ts';
import { type DiskMeter, openDiskMeter } from '../disk/disk-meter.ts';
import { noIdentity } from '../identity/no-identity.ts';
import { type SandboxIdentity, takeIdentity } from '../identity/take-identity.ts';
import type { Backend, Launch, StartFailure } from '../launch.ts';
import { type LaidOut, layOutDirectory } from '../lay-out-directory.ts';
import { limitCommand } from '../limit-command.ts';
import { createPlainTree } from '../plain-tree.ts';
import { createPrivateDirectory } from '../private-directory.ts';
import type { SandboxDirectory, SandboxLimits, SandboxSpec } from '../sandbox.ts';
import { findToolchains, toReach } from '../toolchain/find-toolchains.ts';
import { toSandboxEnvironment } from '../toolchain/to-sandbox-environment.ts';
import { type Cover, coverInherited } from './cover-inherited.ts';
import { findOutside } from './find-outside.ts';

export function createFloorBackend(): Backend {
  return { isolation: 'none', prepare };
}

/** A proxy that nobody has to use holds nobody back. */
const noNetwork: StartFailure = {
  kind: 'not-started',
  stage: 'unavailable',
  reason: 'nothing here keeps a command to some hosts',
};

async function prepare(spec: SandboxSpec, signal: AbortSignal): Promise<Launch | StartFailure> {
  if (spec.network?.kind === 'proxy') return noNetwork;
  await using owned = new AsyncDisposableStack();
  const identity = await takeIdentity();
  if (identity === null) return noIdentity;
  owned.use(identity);
  const owner = toOwner(identity);
  const scratch = owned.use(await createPrivateDirectory(owner));
  const place = await layOutDirectory(toOpen(spec.directory), {
    into: scratch.path,
    owner,
    maxFileBytes: spec.limits.diskBytes,
    signal,
  });
  if (place.kind === 'not-started') return place;
  const home = await makeHome(scratch.path, owner);
  const toolchains = findToolchains(toReach('none'));
  const environment = { ...spec.environment, ...toSandboxEnvironment(toolchains, { home, temporary: home }) };
  const { toInside } = place;
  const program = findOutside(spec.argv[0], { searchPath: environment.PATH ?? '', owner, toInside });
  if (program.kind === 'not-started') return program;
  const directories = spec.directory.mode === 'bound' ? [] : [place.path];
  const disk = owned.use(
    await openDiskMeter({ directories: [home, ...directories], limitBytes: spec.limits.diskBytes }),
  );
  const cover = owned.use(coverInherited());
  const argv = [program.path, ...spec.argv.slice(1)] as const;
  return createLaunch({ argv, environment, limits: spec.limits, owner, place, disk, cover, resources: owned.move() });
}

async function makeHome(scratch: string, owner: Owner | null): Promise<string> {
  const home = join(scratch, 'home');
  await mkdir(home, { mode: 0o700 });
  if (owner !== null) await chown(home, owner.uid, owner.gid);
  return home;
}

interface LaunchParts {
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
  readonly owner: Owner | null;
  readonly place: LaidOut;
  readonly disk: DiskMeter;
  readonly cover: Cover;
  readonly resources: AsyncDisposable;
}

function createLaunch({ argv, environment, limits, owner, place, disk, cover, resources }: LaunchParts): Launch {
  const mark = randomUUID();
  const program: ChildProgram = {
    argv: limitCommand(argv, { ...limits, processes: owner === null ? null : limits.processes }),
    environment: { ...environment, [treeVariable]: mark },
    directory: place.path,
    identity: owner,
    descriptors: cover.descriptors,
  };
  return {
    kind: 'launch',
    start: (input) => startChild(program, input),
    bears: { uid: owner?.uid ?? null, mark },
    keptByKernel: new Set(['fileBytes']),
    begin: async (child) => ({
      kind: 'begun',
      tree: createPlainTree({ child, mark, uid: owner?.uid ?? null, disk }),
      toEnd: ({ code, signal }) =>
        code === null ? { kind: 'signal', signal: signal ?? 'unknown' } : { kind: 'exit', code },
    }),
    readLeavings: () => place.readLeavings(),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

/** Nothing can be hidden from a command that nothing encloses; who lets commands run here has agreed to that. */
function toOpen(directory: SandboxDirectory): SandboxDirectory {
  return directory.mode === 'bound' ? { ...directory, hidden: [] } : directory;
}

function toOwner({ uid, gid, isOwn }: SandboxIdentity): Owner | null {
  return isOwn ? null : { uid, gid };
}
