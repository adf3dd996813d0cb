// Encloses commands by bubblewrap: namespaces of their own for users, files, processes, network and all else, no capability,
// a filter over system calls, and nothing of this machine in sight but its programs, the toolchains and the workspace.
import { lstatSync, statSync } from 'node:fs';
import { type ControlGroup, createControlGroup } from '../control-group/control-group.ts';
import { explainStart } from '../control-group/explain-start.ts';
import { withControlGroup } from '../control-group/with-control-group.ts';
import { noIdentity } from '../identity/no-identity.ts';
import { type SandboxIdentity, takeIdentity } from '../identity/take-identity.ts';
import { type CommandLimits, processRoom } from '../kernel-limits.ts';
import type { Backend, Launch, SandboxTree, StagingWay, StartFailure } from '../launch.ts';
import type { CommandView } from '../linux/command-view.ts';
import { findInside } from '../linux/find-inside.ts';
import { toForwarderArgv } from '../linux/forwarder-source.ts';
import { readArchitecture } from '../linux/read-architecture.ts';
import { composeSeccomp } from '../linux/seccomp.ts';
import { readSystemLayout } from '../linux/system-layout.ts';
import { withProxy } from '../linux/with-proxy.ts';
import { launch } from '../linux/zygote.ts';
import type { SandboxLimits, SandboxSpec } from '../sandbox.ts';
import { beginInBwrap, type Stage } from './begin-in-bwrap.ts';
import { composeLaunch, type LaunchPlan } from './compose-launch.ts';
import { type SettledDirectory, settleDirectory } from './settle-directory.ts';

export interface BwrapBackendOptions {
  /** Helpers of the host by their absolute paths. */
  readonly bwrap: string;
  readonly perl: string;
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
  const askedAt = Date.now();
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
  const controlGroup = createControlGroup({ limits: spec.limits, ownProcesses });
  if (controlGroup !== null) owned.use(controlGroup);
  const settled = await settleDirectory(spec.directory, { identity, staging, signal, owned });
  if (settled.kind === 'not-started') return settled;
  const argv = [program.path, ...spec.argv.slice(1)];
  const plan: LaunchPlan = {
    account: toAccount(identity),
    directory: settled.directory,
    workspace: settled.workspace,
    masks: settled.masks,
    stage: chooseStage([settled.workspace?.source ?? '/box', ...view.mounts.map(({ source }) => source)]),
    stageBytes: spec.limits.diskBytes,
    system: readSystemLayout(),
    readable: view.mounts.map((mount) => ({ ...mount, isPrivate: isPrivate(mount.source) })),
    enclosure: { environment, temporaryBytes: spec.limits.diskBytes },
    filter: readFilter(),
    limits: toLimits(spec.limits),
    askedAt,
    bwrap: options.bwrap,
    argv: proxySocket === null ? argv : toForwarderArgv(options.perl, argv),
    proxySocket,
  };
  const { perl } = options;
  const { limits } = spec;
  return createLaunch({ perl, limits, plan, controlGroup, settled, identity, resources: owned.move() });
}

/** Bubblewrap outside, and the first process inside. */
const ownProcesses = 2;

interface LaunchParts {
  readonly perl: string;
  readonly limits: SandboxLimits;
  readonly plan: LaunchPlan;
  readonly controlGroup: ControlGroup | null;
  readonly settled: SettledDirectory;
  readonly identity: SandboxIdentity;
  readonly resources: AsyncDisposableStack;
}

function createLaunch(parts: LaunchParts): Launch {
  const { perl, limits, plan, controlGroup, settled, identity, resources } = parts;
  let opened: Stage | null = null;
  let tree: SandboxTree | null = null;
  let letGo = (): void => undefined;
  return {
    kind: 'launch',
    async start(input) {
      const launcher = await launch(perl, { instructions: composeLaunch(plan), input, controlGroup });
      if (launcher.kind === 'started') letGo = launcher.letGo;
      return launcher;
    },
    bears: {
      uid: plan.account.kind === 'dropped' ? plan.account.uid : null,
      mark: null,
      controlGroup: controlGroup?.path ?? null,
    },
    keptByKernel: new Set([...keptByKernel, ...(controlGroup?.keeps ?? [])]),
    async begin(child, signal) {
      const begun = await beginInBwrap({ child, plan, letGo, signal });
      if (begun.kind === 'not-started') return explainStart(begun, controlGroup);
      opened = begun.stage;
      tree = controlGroup === null ? begun.begun.tree : withControlGroup(begun.begun.tree, controlGroup);
      return { ...begun.begun, tree };
    },
    async readLeavings() {
      if (settled.readCopy !== null) return settled.readCopy();
      return opened === null ? { kind: 'nothing' } : opened.readLeavings(limits);
    },
    async [Symbol.asyncDispose]() {
      opened?.close();
      // The end of its namespace is the end of everybody in it.
      if (tree?.isGone() === true) identity.markUnused();
      await resources.disposeAsync();
    },
  };
}

const keptByKernel: ReadonlySet<keyof SandboxLimits> = new Set(['fileBytes', 'diskBytes']);

function toLimits({ processes, ...limits }: SandboxLimits): CommandLimits {
  return { ...limits, processes: processes === null ? null : processes + processRoom };
}

function toAccount({ uid, gid, isOwn }: SandboxIdentity): LaunchPlan['account'] {
  return { kind: isOwn ? 'own' : 'dropped', uid, gid };
}

/** Whether others than its owner may neither enter nor read it. Their way to it does not matter: they are handed it. */
function isPrivate(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.mode & 0o004) === 0;
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
