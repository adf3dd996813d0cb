// What the launcher is told before it becomes bubblewrap: how the directory of the command is laid out, and as whom it goes on.

import { type Mask, toBoundBinds } from '../bound/bound-mounts.ts';
import { boxPath } from '../box-files.ts';
import type { CommandLimits } from '../kernel-limits.ts';
import { type Instruction, joinWords } from '../linux/launcher.ts';
import { toLimitInstructions } from '../linux/limit-instructions.ts';
import type { SandboxDirectory } from '../sandbox.ts';
import { toOutermost } from '../to-outermost.ts';
import { type Bind, type BwrapPlan, composeBwrapArguments } from './bwrap-arguments.ts';
import { composeRoot, type RootPlan } from './compose-root.ts';
import type { Account, SettledWorkspace } from './settle-directory.ts';

export interface LaunchPlan {
  /** Whose rights the command has. `dropped`: not the engine's own, which is the superuser here. */
  readonly account: Account & { readonly kind: 'own' | 'dropped' };
  readonly directory: SandboxDirectory;
  /** What the command is given as its workspace; null for an ephemeral directory. */
  readonly workspace: SettledWorkspace | null;
  /** What of a bound workspace is not shown as it is. */
  readonly masks: readonly Mask[];
  /** A directory of this machine that is laid over, for the launcher and its children alone. */
  readonly stage: string;
  readonly stageBytes: number;
  /** What it may see of the system, and outside the system's directories. */
  readonly system: RootPlan['system'];
  readonly readable: RootPlan['readable'];
  readonly enclosure: Pick<BwrapPlan, 'environment' | 'temporaryBytes'>;
  /** The system call filter. */
  readonly filter: Uint8Array;
  readonly limits: CommandLimits;
  /** When the command was asked for, by `Date.now()`: what was changed in its directory before belongs to it. */
  readonly askedAt: number;
  readonly bwrap: string;
  /** What bubblewrap runs. */
  readonly argv: readonly string[];
  /** The socket of the proxy through which the command reaches the network; null where it reaches none. */
  readonly proxySocket: string | null;
}

/** Above everything that the launcher opens itself. */
const argumentsDescriptor = 100;
const filterDescriptor = 101;
/** Where the launcher answers, and after it bubblewrap. */
const statusDescriptor = 3;

export function composeLaunch(plan: LaunchPlan): Instruction[] {
  const { account, workspace, stage, stageBytes, bwrap, argv } = plan;
  const isDropped = account.kind === 'dropped';
  const root = composeRoot({ ...plan, root: `${stage}/root` });
  return [
    ...openNamespaces(plan),
    ...(workspace === null ? [] : [takeWorkspace(workspace, account)]),
    ...root.takes,
    ['memory', stage, String(stageBytes)],
    ...root.builds,
    ...layOut(plan),
    ['give', String(argumentsDescriptor), `${stage}/arguments`, toHex(joinWords(composeArguments(plan, root.binds)))],
    ['give', String(filterDescriptor), `${stage}/filter`, toHex(plan.filter)],
    ['keep', String(statusDescriptor)],
    ['wait'],
    ...(isDropped ? ([['become', String(account.uid), String(account.gid)]] as const) : []),
    ['die-with-parent'],
    ...toLimitInstructions(plan.limits),
    ['start', bwrap, '--args', String(argumentsDescriptor), '--', ...argv],
  ];
}

function openNamespaces({ account, workspace, readable }: LaunchPlan): Instruction[] {
  const uid = String(account.uid);
  const gid = String(account.gid);
  if (account.kind === 'own') return [['unshare-user', uid, gid]];
  return [
    ['make-for', uid, gid],
    ...(workspace === null ? [] : [toSwapMap(workspace.owner, account)]),
    ...(readable.some(({ isPrivate }) => isPrivate) ? [['swap-map', 'readable', '0', uid, '0', gid] as const] : []),
    ['unshare-mount'],
  ];
}

/** Files of the workspace's owner are the command's own, and those of everybody else stay theirs. */
function toSwapMap(owner: Account, { uid, gid }: Account): Instruction {
  return ['swap-map', 'workspace', String(owner.uid), String(uid), String(owner.gid), String(gid)];
}

function takeWorkspace({ source }: SettledWorkspace, { kind }: LaunchPlan['account']): Instruction {
  return ['take', 'workspace', source, kind === 'dropped' ? 'workspace' : ''];
}

function layOut({ account, directory, stage }: LaunchPlan): Instruction[] {
  switch (directory.mode) {
    case 'ephemeral':
      return [['directory', `${stage}/box`, '0700']];
    case 'staged': {
      const layers = ['lower', 'upper', 'work', 'merged'].map((name) => `${stage}/${name}`);
      const options = account.kind === 'own' ? userOptions : superuserOptions;
      return [
        ['attach', 'workspace', `${stage}/lower`, 'write'],
        ['make-layers', ...layers],
        ['hide', `${stage}/upper`, `${stage}/lower`, ...toOutermost(directory.hidden)],
        ['lay-over', ...layers, options],
      ];
    }
    case 'bound':
      return [
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

function composeArguments(plan: LaunchPlan, binds: readonly Bind[]): string[] {
  const { account, directory } = plan;
  return composeBwrapArguments({
    ...plan.enclosure,
    root: `${plan.stage}/root`,
    uid: account.uid,
    gid: account.gid,
    binds: [...binds, ...toDirectoryBinds(plan)],
    directory: directory.mode === 'ephemeral' ? boxPath : directory.workspace,
    filterDescriptor,
    statusDescriptor,
  });
}

function toDirectoryBinds({ directory, stage, masks }: LaunchPlan): Bind[] {
  switch (directory.mode) {
    case 'ephemeral':
      return [{ source: `${stage}/box`, target: boxPath, access: 'write' }];
    case 'staged':
      return [{ source: `${stage}/merged`, target: directory.workspace, access: 'write' }];
    case 'bound': {
      const access = directory.isReadOnly === true ? 'read' : 'write';
      return toBoundBinds({ workspace: directory.workspace, access, masks, stage });
    }
  }
}

const toHex = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('hex');
