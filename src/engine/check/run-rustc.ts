// Runs the Rust compiler for a gate. A compiler that cannot compile anything (no toolchain behind it, no linker, a full
// disk) is told from a subject that does not compile by giving it a source that must.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { resolveProgram } from '../process/resolve-program.ts';
import type { SandboxResult } from '../sandbox/sandbox.ts';
import type { CheckReport } from './check.ts';
import { type CheckContext, runInSandbox } from './check-context.ts';
import { toReport } from './report.ts';
import { reportNoExit, reportRun } from './report-run.ts';

export interface RustcJob {
  /** Source file, relative to the directory. */
  readonly source: string;
  readonly target: 'library' | 'tests';
  /** What is compiled, as the subject of a sentence. */
  readonly what: string;
}

/** Compiles one crate in `directory`; tests become the program `tests` there. The report when it failed, or null. */
export async function runRustc(job: RustcJob, directory: string, context: CheckContext): Promise<CheckReport | null> {
  const run = await startRustc(job, directory, context);
  if (run.kind !== 'exit') return reportNoExit(`Compiling ${job.what}`, run);
  if (run.code === 0) return null;
  const control = await runControl(job.target, directory, context);
  if (control.kind === 'exit' && control.code === 0) return reportRun('notMet', `${job.what} does not compile.`, run);
  return reportRun('notEvaluated', 'The Rust compiler does not work here.', control);
}

/** The report for a machine without a Rust compiler, or null when there is one. */
export function reportMissingRustc(): CheckReport | null {
  if (resolveProgram('rustc') !== null) return null;
  return toReport('notEvaluated', 'The Rust compiler rustc is not on this machine.');
}

/** One execution of the compiler, as it came out. */
export function startRustc(
  job: Pick<RustcJob, 'source' | 'target'>,
  directory: string,
  context: CheckContext,
): Promise<SandboxResult> {
  const target =
    job.target === 'library'
      ? ['--crate-type', 'lib', '--crate-name', 'subject', '--emit', 'metadata', '--out-dir', '.']
      : ['--test', '--crate-name', 'tests', '-C', 'strip=symbols', '-o', 'tests'];
  // With `./` in front no file name can be an option.
  const source = `./${job.source}`;
  return runInSandbox(context, ['rustc', '--edition', '2021', '-A', 'warnings', ...target, source], directory);
}

async function runControl(
  target: RustcJob['target'],
  directory: string,
  context: CheckContext,
): Promise<SandboxResult> {
  const source = 'gate-control.rs';
  await writeFile(join(directory, source), 'pub fn control() {}\n');
  return startRustc({ source, target }, directory, context);
}
