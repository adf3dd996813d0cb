// Wraps a command so that the kernel limits it. The limits are set by the system's shell, which then becomes the program;
// program and arguments travel as positional parameters and are never part of the shell's text.
import type { SandboxLimits } from './sandbox.ts';

/** `argv` under the limits a shell can set: CPU time of each process, and the size of each file it writes. */
export function limitCommand(
  argv: readonly [string, ...string[]],
  limits: Pick<SandboxLimits, 'cpuSeconds' | 'fileBytes'>,
): readonly [string, ...string[]] {
  const commands = [...cpuCommands(limits.cpuSeconds), ...fileCommands(limits.fileBytes), 'exec "$@"'];
  return ['/bin/sh', '-c', commands.join('; '), 'sh', ...argv];
}

/** The soft limit is one second lower, so that the end is SIGXCPU and can be told from any other kill. */
function cpuCommands(cpuSeconds: number | null): string[] {
  if (cpuSeconds === null) return [];
  const seconds = Math.ceil(cpuSeconds);
  return [setLimit(`-S -t ${seconds}`), setLimit(`-H -t ${seconds + 1}`)];
}

/** The shell counts in blocks of 512 bytes. */
function fileCommands(fileBytes: number | null): string[] {
  return fileBytes === null ? [] : [setLimit(`-f ${Math.ceil(fileBytes / 512)}`)];
}

/** Refused only where a tighter limit already holds, which is as good. */
function setLimit(limit: string): string {
  return `ulimit ${limit} 2>/dev/null || :`;
}
