// nodeTest: the contract's tests pass against the subject, under the Node that runs the engine. The verdict is one line
// that carries a random word; the exit code and everything else the process prints prove nothing. What shares a process
// can be attacked from within it: this holds against a subject that patches, exits, prints or skips, not against one
// that debugs its own process.
import { randomBytes } from 'node:crypto';
import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LeafVerification } from '../../shared/verification.ts';
import { resolveProgram } from '../process/resolve-program.ts';
import { createPrivateDirectory } from '../sandbox/private-directory.ts';
import type { SandboxResult } from '../sandbox/sandbox.ts';
import type { CheckReport } from './check.ts';
import { type CheckContext, runInSandbox } from './check-context.ts';
import { copySubject } from './copy-subject.ts';
import { gatePrefix, gateScript, gateSource, secretFile } from './node-test-gate.ts';
import { toReport } from './report.ts';
import { reportNoExit, reportRun } from './report-run.ts';

export async function checkNodeTest(
  { files, testSource }: Extract<LeafVerification, { kind: 'nodeTest' }>,
  context: CheckContext,
): Promise<CheckReport> {
  if (resolveProgram('node') === null) return toReport('notEvaluated', 'Node is not on this machine.');
  await using scratch = await createPrivateDirectory();
  const directory = await realpath(scratch.path);
  const subject = await copySubject(files, directory, context);
  if (subject.kind === 'unusable') return subject.report;
  const { run, count } = await runTests(testSource, directory, context);
  if (count !== null) return toVerdict(run, count);
  if (run.kind !== 'exit') return reportNoExit('Running the tests', run);
  const control = await runTests(controlSource, directory, context);
  if (control.count?.passed !== 1) return reportRun('notEvaluated', 'The test runner of Node does not work here.', run);
  return reportRun('notMet', `The tests did not run to their end; the process exited with ${run.code}.`, run);
}

/** Must pass wherever anything can. */
const controlSource = "import test from 'node:test';\ntest('control', () => {});\n";

interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

function toVerdict(run: SandboxResult, { passed, failed, skipped }: Count): CheckReport {
  if (run.kind !== 'exit') return reportNoExit('Running the tests', run);
  if (passed + failed === 0) return reportRun('notMet', `There was no test to run; ${skipped} were skipped.`, run);
  const summary = `${passed} tests passed, ${failed} failed, ${skipped} were skipped.`;
  if (failed > 0 || run.code === 0) return reportRun(failed === 0 ? 'met' : 'notMet', summary, run);
  return reportRun('notMet', `${summary} Afterwards the process exited with ${run.code}.`, run);
}

/** Runs a test file beside the subject; without a count it did not get to the end. */
async function runTests(
  testSource: string,
  directory: string,
  context: CheckContext,
): Promise<{ run: SandboxResult; count: Count | null }> {
  const word = randomBytes(16).toString('hex');
  const testFile = join(directory, `${gatePrefix}${randomBytes(8).toString('hex')}.test.mjs`);
  await Promise.all([
    writeFile(testFile, testSource),
    writeFile(join(directory, gateScript), gateSource),
    writeFile(join(directory, secretFile), JSON.stringify({ word, testFile })),
  ]);
  const argv = ['node', '--no-warnings', '--test-reporter=spec', join(directory, gateScript)] as const;
  const run = await runInSandbox(context, argv, directory);
  if (run.kind === 'not-started') return { run, count: null };
  const { count, text } = takeCount(run.stderr.text, word);
  return { run: { ...run, stderr: { ...run.stderr, text } }, count };
}

/** The count, and what was printed without it. */
function takeCount(stderr: string, word: string): { count: Count | null; text: string } {
  const lines = stderr.split('\n');
  const found = lines.find((line) => line.startsWith(word));
  if (found === undefined) return { count: null, text: stderr };
  const [passed = 0, failed = 0, skipped = 0] = found.slice(word.length).trim().split(' ').map(Number);
  return { count: { passed, failed, skipped }, text: lines.filter((line) => line !== found).join('\n') };
}
