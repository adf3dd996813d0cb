// Wraps a command so that the kernel limits it: by the system's own programs, or where they are missing by its shell, which
// then becomes the program. Program and arguments travel as parameters and are never part of a shell's text.
import { findHostHelper, type HostHelper } from '../process/find-host-helper.ts';
import { type HardLimits, readHardLimits } from '../process/read-hard-limits.ts';
import type { SandboxLimits } from './sandbox.ts';

type Argv = readonly [string, ...string[]];

export interface CommandLimits extends Pick<SandboxLimits, 'cpuMs' | 'fileBytes'> {
  /** Null where the command's user has other processes: the kernel counts all of them. */
  readonly processes: number | null;
}

/** `argv` under processor time of each process, the size of each file and, where it can be, the number of processes. */
export function limitCommand(
  argv: Argv,
  limits: CommandLimits,
  findHelper: (name: HostHelper) => string | null = findHostHelper,
): Argv {
  const [prlimit, setpriv] = [findHelper('prlimit'), findHelper('setpriv')];
  const limited: Argv = prlimit === null ? byShell(argv, limits) : [prlimit, ...toLimitOptions(limits), '--', ...argv];
  // A program that is marked to run as another user would be out of our reach.
  return setpriv === null ? limited : [setpriv, '--no-new-privs', '--', ...limited];
}

const openFiles = 4096;
/** Beyond what may live at once: a command that is refused a process ends with an error of its own, and nobody knows why. */
const processRoom = 64;

/** The options of `prlimit`. Memory has no dependable limit of this kind: what a runtime reserves is not what it uses. */
export function toLimitOptions({ cpuMs, fileBytes, processes }: CommandLimits): string[] {
  const hard = readHardLimits();
  return [
    '--core=0',
    `--nofile=${Math.min(openFiles, hard.openFiles)}`,
    ...(cpuMs === null ? [] : [`--cpu=${toCpuRange(toSeconds(cpuMs), hard)}`]),
    ...(fileBytes === null ? [] : [`--fsize=${Math.min(fileBytes, hard.fileBytes)}`]),
    ...(processes === null ? [] : [`--nproc=${Math.min(processes + processRoom, hard.processes)}`]),
  ];
}

/** The soft limit is one second lower, so that the end is SIGXCPU and can be told from any other kill. */
function toCpuRange(seconds: number, hard: HardLimits): string {
  return `${Math.min(seconds, hard.cpuSeconds)}:${Math.min(seconds + 1, hard.cpuSeconds)}`;
}

function byShell(argv: Argv, { cpuMs, fileBytes }: CommandLimits): Argv {
  const commands = [
    ...(cpuMs === null ? [] : [setLimit(`-S -t ${toSeconds(cpuMs)}`), setLimit(`-H -t ${toSeconds(cpuMs) + 1}`)]),
    // The shell counts in blocks of 512 bytes.
    ...(fileBytes === null ? [] : [setLimit(`-f ${Math.ceil(fileBytes / 512)}`)]),
    'exec "$@"',
  ];
  return ['/bin/sh', '-c', commands.join('; '), 'sh', ...argv];
}

/** Refused only where a tighter limit already holds, which is as good. */
function setLimit(limit: string): string {
  return `ulimit ${limit} 2>/dev/null || :`;
}

function toSeconds(cpuMs: number): number {
  return Math.max(1, Math.ceil(cpuMs / 1000));
}
