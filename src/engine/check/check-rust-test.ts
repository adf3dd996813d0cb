// rustTest: the contract's tests pass against the subject. Compiling, listing and running are executions of their own, and
// every test that was listed must be reported as passed by name: an early exit, a forged summary or no test at all is not
// a pass. The names hold a random word; only a subject that searches its own process for it, or puts itself between that
// process and its output, could still forge them.
import type { LeafVerification } from '../../shared/verification.ts';
import type { BoxFile, SandboxResult } from '../sandbox/sandbox.ts';
import { toBoxFile } from './box-file.ts';
import type { CheckReport } from './check.ts';
import { type CheckContext, runInBox } from './check-context.ts';
import { composeRustTest, toIncludable } from './compose-rust-test.ts';
import { readSubject } from './read-subject.ts';
import { toReport } from './report.ts';
import { reportNoExit, reportRun } from './report-run.ts';
import { runRustc, testProgram } from './run-rustc.ts';

type ExitedRun = Extract<SandboxResult, { kind: 'exit' }>;

const rootFile = 'gate-root.rs';
const testFile = 'gate-test.rs';

export async function checkRustTest(
  { files, testSource }: Extract<LeafVerification, { kind: 'rustTest' }>,
  context: CheckContext,
): Promise<CheckReport> {
  const subject = await readSubject(files, context);
  if (subject.kind === 'unusable') return subject.report;
  const included = subject.files.map(({ path, bytes }) =>
    toBoxFile(`subject/${path}`, toIncludable(Buffer.from(bytes).toString('utf8'))),
  );
  const crate = composeRustTest(
    included.map(({ path }) => path),
    testSource,
    testFile,
  );
  const sources = [toBoxFile(rootFile, crate.root), toBoxFile(testFile, crate.test), ...included] as const;
  const what = `${files.join(', ')} with the contract's tests`;
  const compiled = await runRustc({ sources, target: 'tests', what }, context);
  if (compiled.kind === 'failed') return compiled.report;
  if (compiled.program === null) return toReport('notEvaluated', 'The Rust compiler left no program to run.');
  return runTests(compiled.program, crate.testModule, context);
}

async function runTests(program: BoxFile, testModule: string, context: CheckContext): Promise<CheckReport> {
  const start = (...options: string[]) => runInBox(context, [`./${testProgram}`, ...options], { files: [program] });
  const listing = await start('--list', '--format=terse');
  if (listing.kind !== 'exit') return reportNoExit('Listing the tests', listing);
  const names = readNames(listing.stdout.text, testModule);
  if (names.length === 0) return reportRun('notMet', 'There was no test to run.', listing);
  const run = await start('--test-threads=2', '--color=never');
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
