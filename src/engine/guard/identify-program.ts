// Which file a word at the head of a command runs. A bare name means what the fixed PATH of commands finds, whatever the
// workspace holds; only a name that the system's own directories answer for can be allowed by name.
import { realpathSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import type { Program } from '../../shared/act.ts';
import { findCommandProgram } from '../sandbox/toolchain/find-command-program.ts';

export interface ProgramPlace {
  /** Where it is run, absolute; null where nobody can tell. */
  readonly directory: string | null;
  /** What looks for the program: a shell looks among its own builtins first. */
  readonly by: 'shell' | 'engine';
}

export function identifyProgram(written: string, { directory, by }: ProgramPlace): Program {
  if (by === 'shell' && shellBuiltins.has(written)) return { written, real: null, isSystem: true };
  const real = toReal(locate(written, directory));
  const system = toReal(findCommandProgram(basename(written)));
  return { written, real, isSystem: real !== null && real === system };
}

function locate(written: string, directory: string | null): string | null {
  if (!written.includes('/')) return findCommandProgram(written);
  if (isAbsolute(written)) return written;
  return directory === null ? null : join(directory, written);
}

function toReal(path: string | null): string | null {
  if (path === null) return null;
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** What bash does itself before it looks for a file. */
const shellBuiltins: ReadonlySet<string> = new Set([
  ...[
    '.',
    ':',
    '[',
    'alias',
    'bg',
    'bind',
    'break',
    'builtin',
    'caller',
    'cd',
    'command',
    'compgen',
    'complete',
    'compopt',
  ],
  ...['continue', 'declare', 'dirs', 'disown', 'echo', 'enable', 'eval', 'exec', 'exit', 'export', 'false', 'fc', 'fg'],
  ...[
    'getopts',
    'hash',
    'help',
    'history',
    'jobs',
    'kill',
    'let',
    'local',
    'logout',
    'mapfile',
    'popd',
    'printf',
    'pushd',
  ],
  ...['pwd', 'read', 'readarray', 'readonly', 'return', 'set', 'shift', 'shopt', 'source', 'suspend', 'test', 'times'],
  ...['trap', 'true', 'type', 'typeset', 'ulimit', 'umask', 'unalias', 'unset', 'wait'],
]);
