// Encloses commands by bubblewrap: namespaces of their own for users, files, processes, network and all else, no capability,
// a filter over system calls, and nothing of this machine in sight but its programs, the toolchains and the workspace.
import { lstatSync } from 'node:fs';
import { noIdentity } from '../identity/no-identity.ts';
import { type SandboxIdentity, takeIdentity } from '../identity/take-identity.ts';
import type { Backend, Launch, StagingWay, StartFailure } from '../launch.ts';
import { toLimitOptions } from '../limit-command.ts';
import type { CommandView } from '../linux/command-view.ts';
import { findInside } from '../linux/find-inside.ts';
import { toForwarderArgv } from '../linux/forwarder-source.ts';
import { toLauncherArgv } from '../linux/launcher.ts';
import { readArchitecture } from '../linux/read-architecture.ts';
import { composeSeccomp } from '../linux/seccomp.ts';
import { readSystemLayout } from '../linux/system-layout.ts';
import { withProxy } from '../linux/with-proxy.ts';
import type { SandboxLimits, SandboxSpec } from '../sandbox.ts';
import { beginInBwrap, type Stage } from './begin-in-bwrap.ts';
import { composeLaunch, type LaunchPlan } from './compose-launch.ts';
import { type SettledDirectory, settleDirectory } from './settle-directory.ts';

export interface BwrapBackendOptions {
  /** Helpers of the host by their absolute paths. */
  readonly bwrap: string;
  readonly perl: string;
  readonly prlimit: string;
  readonly view: CommandView;
}

export function createBwrapBackend(options: BwrapBackendOptions): Backend {
  return {
    isolation: 'bwrap',
    prepare: (spec, signal, staging = 'overlay') => prepare(options, spec, signal, staging),
  };
}

async function prepare(
  options: BwrapBackendOptions,
  spec: SandboxSpec,
  signal: AbortSignal,
  staging: StagingWay,
): Promise<Launch | StartFailure> {
  const { view } = options;
  const proxySocket = spec.network?.kind === 'proxy' ? spec.network.socket : null;
  const wanted = { ...spec.environment, ...view.environment };
  const environment = proxySocket === null ? wanted : withProxy(wanted);
  const program = findInside(spec.argv[0], { path: environment.PATH ?? '', directory: spec.directory, view });
  if (program.kind === 'not-started') return program;
  await using owned = new AsyncDisposableStack();
  const identity = await takeIdentity();
  if (identity === null) return noIdentity;
  owned.use(identity);
  const settled = await settleDirectory(spec.directory, { identity, staging, signal, owned });
  if (settled.kind === 'not-started') return settled;
  const argv = [options.prlimit, ...toLimitOptions(spec.limits), '--', program.path, ...spec.argv.slice(1)];
  const plan: LaunchPlan = {
    account: toAccount(identity),
    directory: settled.directory,
    workspace: settled.workspace,
    masks: settled.masks,
    stage: chooseStage([settled.workspace?.source ?? '/box', ...view.mounts.map(({ source }) => source)]),
    stageBytes: spec.limits.diskBytes,
    readable: view.mounts,
    enclosure: { environment, system: readSystemLayout(), temporaryBytes: spec.limits.diskBytes },
    filter: readFilter(),
    statusDescriptor: 4,
    enginePid: process.pid,
    bwrap: options.bwrap,
    argv: proxySocket === null ? argv : toForwarderArgv(options.perl, argv),
    proxySocket,
  };
  return createLaunch({ perl: options.perl, limits: spec.limits, plan, settled, resources: owned.move() });
}

interface LaunchParts {
  readonly perl: string;
  readonly limits: SandboxLimits;
  readonly plan: LaunchPlan;
  readonly settled: SettledDirectory;
  readonly resources: AsyncDisposableStack;
}

function createLaunch({ perl, limits, plan, settled, resources }: LaunchParts): Launch {
  let opened: Stage | null = null;
  return {
    kind: 'launch',
    argv: toLauncherArgv(perl, readArchitecture(), 'mounts'),
    environment: {},
    directory: '/',
    // The launcher gives it up itself, after the mounts that need it.
    identity: null,
    descriptors: ['channel', 'channel'],
    bears: { uid: plan.account.kind === 'dropped' ? plan.account.uid : null, mark: null },
    keptByKernel,
    async begin(child, signal) {
      const begun = await beginInBwrap({ child, plan, instructions: composeLaunch(plan), signal });
      if (begun.kind === 'not-started') return begun;
      opened = begun.stage;
      return begun.begun;
    },
    async readLeavings() {
      if (settled.readCopy !== null) return settled.readCopy();
      return opened === null ? { kind: 'nothing' } : opened.readLeavings(limits);
    },
    async [Symbol.asyncDispose]() {
      opened?.close();
      await resources.disposeAsync();
    },
  };
}

const keptByKernel: ReadonlySet<keyof SandboxLimits> = new Set(['fileBytes', 'diskBytes']);

function toAccount({ uid, gid, isOwn }: SandboxIdentity): LaunchPlan['account'] {
  return { kind: isOwn ? 'own' : 'dropped', uid, gid };
}

/** A directory that every Linux has, and that hides nothing of what is needed when it is laid over. */
function chooseStage(needed: readonly string[]): string {
  const isFree = (stage: string): boolean => !needed.some((path) => path === stage || path.startsWith(`${stage}/`));
  const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  return stages.filter(exists).find(isFree) ?? '/mnt';
}

const stages = ['/mnt', '/media', '/srv', '/opt', '/run'];

let filter: Uint8Array | undefined;

function readFilter(): Uint8Array {
  filter ??= composeSeccomp(readArchitecture(), { unixSockets: true, inetSockets: true });
  return filter;
}
