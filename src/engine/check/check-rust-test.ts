// rustTest: the contract's tests pass against the subject. Compiling, listing and running are executions of their own, and
// every test that was listed must be reported as passed by name: an early exit, a forged summary or no test at all is not
// a pass. The names hold a random word; only a subject that searches its own process for it could still forge them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LeafVerification } from '../../shared/verification.ts';
import { createPrivateDirectory } from '../sandbox/private-directory.ts';
import type { SandboxResult } from '../sandbox/sandbox.ts';
import type { CheckReport } from './check.ts';
import { type CheckContext, runInSandbox } from './check-context.ts';
import { composeRustTest, toIncludable } from './compose-rust-test.ts';
import { copySubject } from './copy-subject.ts';
import { reportNoExit, reportRun } from './report-run.ts';
import { reportMissingRustc, runRustc } from './run-rustc.ts';

type ExitedRun = Extract<SandboxResult, { kind: 'exit' }>;

const rootFile = 'gate-root.rs';
const testFile = 'gate-test.rs';

export async function checkRustTest(
  { files, testSource }: Extract<LeafVerification, { kind: 'rustTest' }>,
  context: CheckContext,
): Promise<CheckReport> {
  const missing = reportMissingRustc();
  if (missing !== null) return missing;
  await using scratch = await createPrivateDirectory();
  const subject = await copySubject(files, join(scratch.path, 'subject'), context);
  if (subject.kind === 'unusable') return subject.report;
  for (const { path, text } of subject.files) await writeFile(join(scratch.path, 'subject', path), toIncludable(text));
  const paths = subject.files.map(({ path }) => `subject/${path}`);
  const crate = composeRustTest(paths, testSource, testFile);
  await writeFile(join(scratch.path, rootFile), crate.root);
  await writeFile(join(scratch.path, testFile), crate.test);
  const what = `${files.join(', ')} with the contract's tests`;
  const failure = await runRustc({ source: rootFile, target: 'tests', what }, scratch.path, context);
  return failure ?? (await runTests(scratch.path, crate.testModule, context));
}

async function runTests(directory: string, testModule: string, context: CheckContext): Promise<CheckReport> {
  const program = join(directory, 'tests');
  const listing = await runInSandbox(context, [program, '--list', '--format=terse'], directory);
  if (listing.kind !== 'exit') return reportNoExit('Listing the tests', listing);
  const names = readNames(listing.stdout.text, testModule);
  if (names.length === 0) return reportRun('notMet', 'There was no test to run.', listing);
  const run = await runInSandbox(context, [program, '--test-threads=2', '--color=never'], directory);
  if (run.kind !== 'exit') return reportNoExit('Running the tests', run);
  const lines = new Set(run.stdout.text.split('\n'));
  const passed = names.filter((name) => lines.has(`test ${name} ... ok`));
  const summary = `${passed.length} of ${names.length} tests passed.`;
  const isMet = passed.length === names.length && run.code === 0;
  return reportRun(isMet ? 'met' : 'notMet', summary, withoutModule(run, testModule));
}

/** The module's name is of no use to anyone who reads the output. */
function withoutModule(run: ExitedRun, testModule: string): ExitedRun {
  return { ...run, stdout: { ...run.stdout, text: run.stdout.text.replaceAll(`${testModule}::`, '') } };
}

/** The contract's own tests; those of the subject run as well but do not count. */
function readNames(listing: string, testModule: string): string[] {
  return listing
    .split('\n')
    .flatMap((line) => (line.startsWith(`${testModule}::`) && line.endsWith(': test') ? line.slice(0, -6) : []));
}
