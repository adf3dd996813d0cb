// rustCompiles: each file alone compiles as a library. A file whose crate is configured away (`#![cfg(any())]`) compiles
// to nothing and must not pass; a line that cannot compile, added at the end, shows whether the compiler still looks.
import { randomBytes } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LeafVerification } from '../../shared/verification.ts';
import { createPrivateDirectory } from '../sandbox/private-directory.ts';
import type { CheckReport } from './check.ts';
import type { CheckContext } from './check-context.ts';
import { copySubject } from './copy-subject.ts';
import { toReport } from './report.ts';
import { reportNoExit, reportRun } from './report-run.ts';
import { type RustcJob, reportMissingRustc, runRustc, startRustc } from './run-rustc.ts';

export async function checkRustCompiles(
  { files }: Extract<LeafVerification, { kind: 'rustCompiles' }>,
  context: CheckContext,
): Promise<CheckReport> {
  const missing = reportMissingRustc();
  if (missing !== null) return missing;
  for (const file of files) {
    const failure = await compileAlone(file, context);
    if (failure !== null) return failure;
  }
  const summary = `Each of ${files.join(', ')} compiles.`;
  const { isolation } = context.sandbox;
  return toReport('met', summary, { text: `${summary}\nisolation: ${isolation}`, isolation });
}

/** The report over a file that does not compile, or null. */
async function compileAlone(file: string, context: CheckContext): Promise<CheckReport | null> {
  await using scratch = await createPrivateDirectory();
  const subject = await copySubject([file], scratch.path, context);
  if (subject.kind === 'unusable') return subject.report;
  const job = { source: subject.files[0]?.path ?? file, target: 'library', what: file } as const;
  const failure = await runRustc(job, scratch.path, context);
  return failure ?? (await proveLooked(job, scratch.path, context));
}

/** The report over a source in which a line that cannot compile went unnoticed, or null. */
async function proveLooked(job: RustcJob, directory: string, context: CheckContext): Promise<CheckReport | null> {
  const proof = `proof-${randomBytes(16).toString('hex')}`;
  await appendFile(join(directory, job.source), `\ncompile_error!("${proof}");\n`);
  const run = await startRustc(job, directory, context);
  if (run.kind !== 'exit') return reportNoExit(`Compiling ${job.what}`, run);
  if (run.stderr.text.includes(proof)) return null;
  return reportRun('notMet', `${job.what} compiles only because its content is configured away.`, run);
}
