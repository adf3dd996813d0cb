// rustCompiles: each file alone compiles as a library. A file whose crate is configured away (`#![cfg(any())]`) compiles
// to nothing and must not pass; a line that cannot compile, added at the end, shows whether the compiler still looks.
import { randomBytes } from 'node:crypto';
import type { LeafVerification } from '../../shared/verification.ts';
import type { BoxFile } from '../sandbox/sandbox.ts';
import type { CheckReport } from './check.ts';
import type { CheckContext } from './check-context.ts';
import { readSubject } from './read-subject.ts';
import { toReport } from './report.ts';
import { reportNoExit, reportRun } from './report-run.ts';
import { runRustc, startRustc } from './run-rustc.ts';

export async function checkRustCompiles(
  { files }: Extract<LeafVerification, { kind: 'rustCompiles' }>,
  context: CheckContext,
): Promise<CheckReport> {
  for (const file of files) {
    const subject = await readSubject([file], context);
    if (subject.kind === 'unusable') return subject.report;
    for (const source of subject.files) {
      const failure = await compileAlone(source, context);
      if (failure !== null) return failure;
    }
  }
  const summary = `Each of ${files.join(', ')} compiles.`;
  const { isolation } = context.sandbox;
  return toReport('met', summary, { text: `${summary}\nisolation: ${isolation}`, isolation });
}

/** The report over a file that does not compile, or null. */
async function compileAlone(source: BoxFile, context: CheckContext): Promise<CheckReport | null> {
  const compiled = await runRustc({ sources: [source], target: 'library', what: source.path }, context);
  return compiled.kind === 'failed' ? compiled.report : proveLooked(source, context);
}

/** The report over a source in which a line that cannot compile went unnoticed, or null. */
async function proveLooked(source: BoxFile, context: CheckContext): Promise<CheckReport | null> {
  const proof = `proof-${randomBytes(16).toString('hex')}`;
  const bytes = Buffer.concat([source.bytes, Buffer.from(`\ncompile_error!("${proof}");\n`)]);
  const run = await startRustc([{ ...source, bytes }], 'library', context);
  if (run.kind !== 'exit') return reportNoExit(`Compiling ${source.path}`, run);
  if (run.stderr.text.includes(proof)) return null;
  return reportRun('notMet', `${source.path} compiles only because its content is configured away.`, run);
}
