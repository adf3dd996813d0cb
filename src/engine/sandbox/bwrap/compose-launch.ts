// What the launcher is told before it becomes bubblewrap: how the directory of the command is laid out, and as whom it goes on.

import { boxPath } from '../box-files.ts';
import { proxySocketPath } from '../linux/forwarder-source.ts';
import { type Instruction, joinWords } from '../linux/launcher.ts';
import type { SandboxDirectory } from '../sandbox.ts';
import { toOutermost } from '../to-outermost.ts';
import { toParents } from '../to-parents.ts';
import { type Bind, type BwrapPlan, composeBwrapArguments } from './bwrap-arguments.ts';
import type { Account, Mask, SettledWorkspace } from './settle-directory.ts';

export interface LaunchPlan {
  /** Whose rights the command has. `dropped`: not the engine's own, which is the superuser here. */
  readonly account: Account & { readonly kind: 'own' | 'dropped' };
  readonly directory: SandboxDirectory;
  /** What the command is given as its workspace; null for an ephemeral directory. */
  readonly workspace: SettledWorkspace | null;
  /** What of a bound workspace is covered up. */
  readonly masks: readonly Mask[];
  /** A directory of this machine that is laid over, for the launcher and its children alone. */
  readonly stage: string;
  readonly stageBytes: number;
  /** Places outside the system's directories that the command may read. */
  readonly readable: readonly { readonly source: string; readonly target: string }[];
  readonly enclosure: Omit<BwrapPlan, 'binds' | 'uid' | 'gid' | 'directory' | 'filterDescriptor' | 'statusDescriptor'>;
  /** The system call filter. */
  readonly filter: Uint8Array;
  readonly statusDescriptor: number;
  readonly enginePid: number;
  readonly bwrap: string;
  /** What bubblewrap runs. */
  readonly argv: readonly string[];
  /** The socket of the proxy through which the command reaches the network; null where it reaches none. */
  readonly proxySocket: string | null;
}

/** Above everything that the launcher opens itself. */
const argumentsDescriptor = 100;
const filterDescriptor = 101;

export function composeLaunch(plan: LaunchPlan): Instruction[] {
  const { account, stage, stageBytes, bwrap, argv } = plan;
  const isDropped = account.kind === 'dropped';
  return [
    ...openNamespaces(plan),
    ...takeTrees(plan),
    ['memory', stage, String(stageBytes)],
    ...layOut(plan),
    ['file', `${stage}/passwd`, '0444', `sandbox:x:${account.uid}:${account.gid}::/tmp:/bin/sh\n`],
    ['file', `${stage}/group`, '0444', `sandbox:x:${account.gid}:\n`],
    ['file', `${stage}/hosts`, '0444', '127.0.0.1 localhost sandbox\n::1 localhost\n'],
    ['give', String(argumentsDescriptor), `${stage}/arguments`, toHex(joinWords(composeArguments(plan)))],
    ['give', String(filterDescriptor), `${stage}/filter`, toHex(plan.filter)],
    ['keep', String(plan.statusDescriptor)],
    ['wait'],
    ...(isDropped ? ([['become', String(account.uid), String(account.gid)]] as const) : []),
    ['die-with', String(plan.enginePid)],
    ['start', bwrap, '--args', String(argumentsDescriptor), '--', ...argv],
  ];
}

function openNamespaces({ account, workspace }: LaunchPlan): Instruction[] {
  const uid = String(account.uid);
  const gid = String(account.gid);
  if (account.kind === 'own') return [['unshare-user', uid, gid]];
  return [
    ['make-for', uid, gid],
    ...(workspace === null ? [] : [toSwapMap(workspace.owner, account)]),
    ['swap-map', 'toolchain', '0', uid, '0', gid],
    ['unshare-mount'],
  ];
}

/** Files of the workspace's owner are the command's own, and those of everybody else stay theirs. */
function toSwapMap(owner: Account, { uid, gid }: Account): Instruction {
  return ['swap-map', 'workspace', String(owner.uid), String(uid), String(owner.gid), String(gid)];
}

/** Before the stage is laid over anything: what lies below it would be out of reach. */
function takeTrees({ account, workspace, readable, proxySocket }: LaunchPlan): Instruction[] {
  const isDropped = account.kind === 'dropped';
  const trees: Instruction[] =
    workspace === null ? [] : [['take', 'workspace', workspace.source, isDropped ? 'workspace' : '']];
  const toolchains = readable.map(
    ({ source }, index): Instruction => ['take', `readable-${index}`, source, isDropped ? 'toolchain' : ''],
  );
  // Any user may connect to a socket that they are handed, so it needs no other owner.
  const proxy: Instruction[] = proxySocket === null ? [] : [['take', 'proxy', proxySocket, '']];
  return [...trees, ...toolchains, ...proxy];
}

function layOut({ account, directory, stage, readable, proxySocket }: LaunchPlan): Instruction[] {
  const attached = readable.map(
    (_, index): Instruction => ['attach', `readable-${index}`, `${stage}/readable-${index}`, 'read'],
  );
  if (proxySocket !== null) attached.push(['attach', 'proxy', `${stage}/proxy`, 'read']);
  switch (directory.mode) {
    case 'ephemeral':
      return [...attached, ['directory', `${stage}/box`, '0700']];
    case 'staged': {
      const layers = ['lower', 'upper', 'work', 'merged'].map((name) => `${stage}/${name}`);
      const options = account.kind === 'own' ? userOptions : superuserOptions;
      return [
        ...attached,
        ['attach', 'workspace', `${stage}/lower`, 'write'],
        ['make-layers', ...layers],
        ['hide', `${stage}/upper`, `${stage}/lower`, ...toOutermost(directory.hidden)],
        ['lay-over', ...layers, options],
      ];
    }
    case 'bound':
      return [
        ...attached,
        ['attach', 'workspace', `${stage}/bound`, 'write'],
        ['file', `${stage}/hidden-file`, '0000', ''],
        ['directory', `${stage}/hidden-directory`, '0000'],
      ];
  }
}

/**
 * Nothing may be left in the upper layer but what the command did: no file by reference, no directory by its old name. A
 * user's overlay keeps its marks in attributes that users may set, and with those it is so anyway.
 */
const superuserOptions = 'redirect_dir=off,metacopy=off,index=off';
const userOptions = 'userxattr,index=off';

function composeArguments(plan: LaunchPlan): string[] {
  const { account, directory } = plan;
  return composeBwrapArguments({
    ...plan.enclosure,
    uid: account.uid,
    gid: account.gid,
    binds: [...toSystemBinds(plan), ...toReadableBinds(plan), ...toDirectoryBinds(plan), ...toProxyBinds(plan)],
    directory: directory.mode === 'ephemeral' ? boxPath : directory.workspace,
    filterDescriptor,
    statusDescriptor: plan.statusDescriptor,
  });
}

const toSystemBinds = ({ stage }: LaunchPlan): Bind[] =>
  ['passwd', 'group', 'hosts'].map((name) => ({ source: `${stage}/${name}`, target: `/etc/${name}`, access: 'read' }));

const toProxyBinds = ({ stage, proxySocket }: LaunchPlan): Bind[] =>
  proxySocket === null ? [] : [{ source: `${stage}/proxy`, target: proxySocketPath, access: 'read' }];

/** The shortest first: one may lie in another. */
function toReadableBinds({ stage, readable }: LaunchPlan): Bind[] {
  return readable
    .map(({ target }, index): Bind => ({ source: `${stage}/readable-${index}`, target, access: 'read' }))
    .sort((one, other) => one.target.length - other.target.length);
}

function toDirectoryBinds({ directory, stage, masks }: LaunchPlan): Bind[] {
  switch (directory.mode) {
    case 'ephemeral':
      return [{ source: `${stage}/box`, target: boxPath, access: 'write' }];
    case 'staged':
      return [{ source: `${stage}/merged`, target: directory.workspace, access: 'write' }];
    case 'bound': {
      const access = directory.isReadOnly === true ? 'read' : 'write';
      return [
        { source: `${stage}/bound`, target: directory.workspace, access },
        ...toMasks(directory.workspace, masks, { stage, access }),
      ];
    }
  }
}

/**
 * A mask holds only while every directory above it is a mount point too: what is none can be renamed, and its old name is
 * free then.
 */
function toMasks(
  workspace: string,
  masks: readonly Mask[],
  { stage, access }: { readonly stage: string; readonly access: Bind['access'] },
): Bind[] {
  const above = new Set(masks.flatMap(({ path }) => toParents(path)));
  const pins = [...above].sort((one, other) => one.length - other.length);
  return [
    ...pins.map((path): Bind => ({ source: `${stage}/bound/${path}`, target: `${workspace}/${path}`, access })),
    ...masks.map(
      ({ path, kind }): Bind => ({ source: `${stage}/hidden-${kind}`, target: `${workspace}/${path}`, access: 'read' }),
    ),
  ];
}

const toHex = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('hex');
