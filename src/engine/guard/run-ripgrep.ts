// Runs ripgrep over the workspace, which honours `.gitignore` and skips `.git`. What it prints is only a proposal: the
// caller judges every path before it is shown. It reads no configuration and is ended as soon as enough was found.
import type { ProcessEnd } from '../process/process-end.ts';
import { spawnProcess } from '../process/spawn-process.ts';

export interface RipgrepOptions {
  /** Absolute path; what is printed is relative to it. */
  readonly directory: string;
  /** Options of the search. Text from outside stands behind an `=`, so that it never becomes an option. */
  readonly search: readonly string[];
  /** Where to look, relative to the directory. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** Takes output as it comes; `enough` ends the search. */
  readonly onOutput: (chunk: Buffer) => 'more' | 'enough';
}

export type RipgrepEnd = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly reason: string };

const wallMs = 30_000;
const maxErrorCharacters = 2000;

const commonOptions = [
  '--no-config',
  '--no-messages',
  '--color=never',
  '--null',
  '--sort=path',
  '--hidden',
  '--no-require-git',
  '--no-ignore-global',
  '--glob=!.git',
];

/** Resolves when ripgrep has ended. A search that finds nothing is done; one that cannot be carried out has failed. */
export async function runRipgrep(options: RipgrepOptions): Promise<RipgrepEnd> {
  const program = await findRipgrep();
  if (program === null) return { kind: 'failed', reason: 'ripgrep is not installed for this platform' };
  const enough = new AbortController();
  let errors = '';
  const end = await spawnProcess({
    argv: [program, ...commonOptions, ...options.search, '--', `./${options.path === '.' ? '' : options.path}`],
    directory: options.directory,
    environment: {},
    signal: AbortSignal.any([options.signal, enough.signal]),
    wallMs,
    onStdout: (chunk) => {
      if (!enough.signal.aborted && options.onOutput(Buffer.from(chunk)) === 'enough') enough.abort();
    },
    onStderr: (chunk) => {
      if (errors.length < maxErrorCharacters) errors += Buffer.from(chunk).toString();
    },
  });
  if (enough.signal.aborted) return { kind: 'done' };
  return toRipgrepEnd(end, errors.slice(0, maxErrorCharacters).trim());
}

/** Exit code 1 means that nothing matched, 2 without a message that some file could not be opened. */
function toRipgrepEnd(end: ProcessEnd, errors: string): RipgrepEnd {
  switch (end.kind) {
    case 'exit':
      return end.code <= 1 || errors === '' ? { kind: 'done' } : { kind: 'failed', reason: errors };
    case 'signal':
      return { kind: 'failed', reason: `the search was ended by ${end.signal}` };
    case 'timeout':
      return {
        kind: 'failed',
        reason: `the search took longer than ${wallMs / 1000} s; narrow it to a path or a glob`,
      };
    case 'cancelled':
      return { kind: 'failed', reason: 'the search was cancelled' };
    case 'not-started':
      return { kind: 'failed', reason: `ripgrep could not be started: ${end.reason}` };
  }
}

/** Loaded on first use, as most of a start-up's time is reading modules. Null where the platform has no binary. */
async function findRipgrep(): Promise<string | null> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    return null;
  }
}
