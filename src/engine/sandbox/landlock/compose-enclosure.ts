// What the launcher is told where Landlock encloses the command: who it is, what it may touch, and what it then becomes.
import type { ControlGroup } from '../control-group/control-group.ts';
import { type CommandLimits, processRoom } from '../kernel-limits.ts';
import type { Instruction } from '../linux/launcher.ts';
import { toLimitInstructions } from '../linux/limit-instructions.ts';
import type { SandboxLimits } from '../sandbox.ts';

export interface EnclosurePlan {
  /** Whose rights the command has. `dropped`: not the engine's own, which is the superuser here. */
  readonly account: { readonly kind: 'own' | 'dropped'; readonly uid: number; readonly gid: number };
  /** Where the command works. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
  /** Null where it has none. */
  readonly controlGroup: Pick<ControlGroup, 'keeps'> | null;
  /** Directories and files, with all that lies below; each has to be there. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** The system call filter. */
  readonly filter: Uint8Array;
  readonly argv: readonly [string, ...string[]];
}

export function composeEnclosure(plan: EnclosurePlan): Instruction[] {
  const { account, directory, environment, readable, writable, filter, argv } = plan;
  return [
    ...(account.kind === 'dropped' ? ([['become', String(account.uid), String(account.gid)]] as const) : []),
    ['enter', directory],
    ['environment', ...Object.entries(environment).flat()],
    ['hold'],
    ...toLimitInstructions(toLimits(plan)),
    ['landlock', neededVersion[account.kind], String(readable.length), ...readable, ...writable],
    ['filter', Buffer.from(filter).toString('hex')],
    ['start', ...argv],
  ];
}

/**
 * Before version 3 a command could empty files that it may not write. Before 6 it could signal other processes of its user,
 * which matters where that user is the person.
 */
const neededVersion = { own: '6', dropped: '3' };

/**
 * The kernel counts every process of the user, which says something only of a user that nobody else is. A control group does
 * not only refuse a process but also tells of it, so this limit is not to be reached before that one.
 */
function toLimits({ account, limits, controlGroup }: EnclosurePlan): CommandLimits {
  const { processes } = limits;
  const room = launcherProcesses + (controlGroup?.keeps.has('processes') ? processRoom : 0);
  return { ...limits, processes: processes === null || account.kind === 'own' ? null : processes + room };
}

/** The one that holds the command. */
export const launcherProcesses = 1;
