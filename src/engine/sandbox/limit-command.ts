// Wraps a command so that the kernel limits it: by the system's own programs, or where they are missing by its shell, which
// then becomes the program. Program and arguments travel as parameters and are never part of a shell's text.
import { findHostHelper, type HostHelper } from '../process/find-host-helper.ts';
import { type CommandLimits, processRoom, toKernelLimits, toWholeSeconds } from './kernel-limits.ts';

type Argv = readonly [string, ...string[]];

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

/** The options of `prlimit`. */
function toLimitOptions({ processes, ...limits }: CommandLimits): string[] {
  const room = processes === null ? null : processes + processRoom;
  return toKernelLimits({ ...limits, processes: room }).map(({ resource, soft, hard }) =>
    soft === hard ? `--${resource}=${soft}` : `--${resource}=${soft}:${hard}`,
  );
}

function byShell(argv: Argv, { cpuMs, fileBytes }: CommandLimits): Argv {
  const commands = [
    ...(cpuMs === null ? [] : toCpuLimits(toWholeSeconds(cpuMs))),
    // The shell counts in blocks of 512 bytes.
    ...(fileBytes === null ? [] : [setLimit(`-f ${Math.ceil(fileBytes / 512)}`)]),
    'exec "$@"',
  ];
  return ['/bin/sh', '-c', commands.join('; '), 'sh', ...argv];
}

function toCpuLimits(seconds: number): string[] {
  return [setLimit(`-S -t ${seconds}`), setLimit(`-H -t ${seconds + 1}`)];
}

/** Refused only where a tighter limit already holds, which is as good. */
function setLimit(limit: string): string {
  return `ulimit ${limit} 2>/dev/null || :`;
}
