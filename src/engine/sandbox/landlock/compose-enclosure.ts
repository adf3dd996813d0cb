// What the launcher is told where Landlock encloses the command: who it is, what it may touch, and what it then becomes.
import type { Instruction } from '../linux/launcher.ts';
import type { SandboxLimits } from '../sandbox.ts';

export interface EnclosurePlan {
  /** Whose rights the command has. `dropped`: not the engine's own, which is the superuser here. */
  readonly account: { readonly kind: 'own' | 'dropped'; readonly uid: number; readonly gid: number };
  readonly enginePid: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
  /** Directories and files, with all that lies below; each has to be there. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** The system call filter. */
  readonly filter: Uint8Array;
  readonly argv: readonly [string, ...string[]];
}

export function composeEnclosure(plan: EnclosurePlan): Instruction[] {
  const { account, enginePid, environment, readable, writable, filter, argv } = plan;
  return [
    ...(account.kind === 'dropped' ? ([['become', String(account.uid), String(account.gid)]] as const) : []),
    ['environment', ...Object.entries(environment).flat()],
    ['limit', resources.core, '0', '0'],
    ['hold', String(enginePid)],
    ...toLimits(plan),
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

/** The kernel's numbers, the same on x64 and arm64. */
const resources = { cpu: '0', fileSize: '1', core: '4', processes: '6', openFiles: '7' };

const openFiles = '4096';

function toLimits({ account, limits }: EnclosurePlan): Instruction[] {
  const { cpuMs, fileBytes, processes } = limits;
  return [
    ['limit', resources.openFiles, openFiles, openFiles],
    ...(cpuMs === null ? [] : [toCpuLimit(cpuMs)]),
    ...(fileBytes === null ? [] : [['limit', resources.fileSize, String(fileBytes), String(fileBytes)] as const]),
    // It counts every process of the user, so it says something only of a user that nobody else is. One is the launcher.
    ...(processes === null || account.kind === 'own' ? [] : [toProcessLimit(processes + 1)]),
  ];
}

/** The soft limit comes a second before the hard one, so that the end is SIGXCPU and can be told from any other kill. */
function toCpuLimit(cpuMs: number): Instruction {
  const seconds = Math.max(1, Math.ceil(cpuMs / 1000));
  return ['limit', resources.cpu, String(seconds), String(seconds + 1)];
}

function toProcessLimit(count: number): Instruction {
  return ['limit', resources.processes, String(count), String(count)];
}
