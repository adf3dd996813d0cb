// Runs the Rust compiler for a gate. A compiler that cannot compile anything (no toolchain behind it, no linker, a full
// disk) is told from a subject that does not compile by giving it a source that must.
import type { BoxFile, SandboxResult } from '../sandbox/sandbox.ts';
import { takeProgram, toBoxFile } from './box-file.ts';
import type { CheckReport } from './check.ts';
import { type CheckContext, runInBox } from './check-context.ts';
import { reportNoExit, reportRun } from './report-run.ts';

export interface RustcJob {
  /** The first is the crate's root. */
  readonly sources: readonly [BoxFile, ...BoxFile[]];
  readonly target: 'library' | 'tests';
  /** What is compiled, as the subject of a sentence. */
  readonly what: string;
}

export type Compiled =
  /** For tests the program that runs them. */
  | { readonly kind: 'compiled'; readonly program: BoxFile | null }
  | { readonly kind: 'failed'; readonly report: CheckReport };

/** Compiles one crate. */
export async function runRustc({ sources, target, what }: RustcJob, context: CheckContext): Promise<Compiled> {
  const run = await startRustc(sources, target, context);
  if (run.kind !== 'exit') return failed(reportNoExit(`Compiling ${what}`, run));
  if (run.code === 0) {
    return {
      kind: 'compiled',
      program: run.leavings.kind === 'files' ? takeProgram(run.leavings.files, testProgram) : null,
    };
  }
  const control = await startRustc([controlSource], target, context);
  const works = control.kind === 'exit' && control.code === 0;
  if (works) return failed(reportRun('notMet', `${what} does not compile.`, run));
  return failed(reportRun('notEvaluated', 'The Rust compiler does not work here.', control));
}

/** The name of the program that compiled tests are. */
export const testProgram = 'tests';

const controlSource = toBoxFile('gate-control.rs', 'pub fn control() {}\n');

/** One execution of the compiler, as it came out. */
export function startRustc(
  sources: RustcJob['sources'],
  target: RustcJob['target'],
  context: CheckContext,
): Promise<SandboxResult> {
  const options =
    target === 'library'
      ? ['--crate-type', 'lib', '--crate-name', 'subject', '--emit', 'metadata', '--out-dir', '.']
      : ['--test', '--crate-name', 'tests', '-C', 'strip=symbols', '-o', testProgram];
  // With `./` in front no file name can be an option.
  const source = `./${sources[0].path}`;
  const collect = target === 'tests' ? [testProgram] : [];
  return runInBox(context, ['rustc', '--edition', '2021', '-A', 'warnings', ...options, source], {
    files: sources,
    collect,
  });
}

function failed(report: CheckReport): Compiled {
  return { kind: 'failed', report };
}
