// goTest: the contract's tests pass in the package of the subject. Compiling and running are executions of their own; the
// verdict over the run is a signed count in which every test of the contract must occur. Only a subject that searches the
// program it is compiled into for the word could still forge it.
import { posix } from 'node:path';
import type { LeafVerification } from '../../shared/verification.ts';
import type { BoxFile, SandboxResult } from '../sandbox/sandbox.ts';
import type { CheckReport } from './check.ts';
import { type CheckContext, runInBox } from './check-context.ts';
import { composeGoTest, type GoGate } from './compose-go-test.ts';
import { readGoTests } from './read-go-tests.ts';
import { readSubject } from './read-subject.ts';
import { toReport } from './report.ts';
import { compileGoTests, goProgram } from './run-go.ts';
import { judgeTests, signedBy, takeCount } from './test-count.ts';

export async function checkGoTest(
  { files, testSource }: Extract<LeafVerification, { kind: 'goTest' }>,
  context: CheckContext,
): Promise<CheckReport> {
  const subject = await readSubject(files, context);
  if (subject.kind === 'unusable') return subject.report;
  const tests = readGoTests(testSource);
  const directory = findPackage(subject.files);
  const { packageName, names } = tests;
  if (packageName === null || directory === null) return toReport('notEvaluated', findProblem(directory));
  if (names.length === 0) return toReport('notMet', 'There was no test to run.');
  const gate = composeGoTest({ ...tests, packageName }, testSource, directory);
  const what = `${files.join(', ')} with the contract's tests`;
  const compiled = await compileGoTests({ files: [...subject.files, ...gate.files], directory, what }, context);
  return compiled.kind === 'failed' ? compiled.report : runTests(compiled.program, gate, names.length, context);
}

/** Where the tests belong: beside the first Go file; null for a subject without any. */
function findPackage(files: readonly BoxFile[]): string | null {
  const first = files.find(({ path }) => path.endsWith('.go'));
  return first === undefined ? null : posix.dirname(first.path);
}

const findProblem = (directory: string | null): string =>
  directory === null ? 'No file of the subject is one of Go.' : "The contract's tests do not begin with a package.";

async function runTests(program: BoxFile, gate: GoGate, total: number, context: CheckContext): Promise<CheckReport> {
  const argv = [`./${goProgram}`, '-test.v', '-test.run=^TestGate_'] as const;
  const { run, count } = takeCount(await runInBox(context, argv, { files: [program] }), signedBy(gate.word));
  const isWhole = count !== null && count.passed + count.failed + count.skipped === total;
  return judgeTests({ run: withoutPrefix(run, gate.testPrefix), count: isWhole ? count : null }, null);
}

/** What the gate adds to the names is of no use to anyone who reads the output. */
function withoutPrefix(run: SandboxResult, prefix: string): SandboxResult {
  if (run.kind === 'not-started') return run;
  return { ...run, stdout: { ...run.stdout, text: run.stdout.text.replaceAll(prefix, '') } };
}
