// How a runner inside a gate says how many tests passed: one line on stderr that only the gate could have written. The exit
// code and everything else the process prints prove nothing.
import { createHash } from 'node:crypto';
import type { SandboxResult } from '../sandbox/sandbox.ts';
import type { CheckReport } from './check.ts';
import { reportNoExit, reportRun } from './report-run.ts';

export interface TestCount {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface CountedTests {
  readonly run: SandboxResult;
  /** Null when the tests did not get to their end. */
  readonly count: TestCount | null;
}

/** What stands before the numbers of a line, told from the numbers. */
export type ToMark = (numbers: string) => string;

/** Whoever reads such a line on its way cannot turn it into another one. */
export function signedBy(word: string): ToMark {
  return (numbers) => createHash('sha256').update(`${numbers} ${word}`).digest('hex');
}

/** Takes the count out of what was printed. */
export function takeCount(run: SandboxResult, toMark: ToMark): CountedTests {
  if (run.kind === 'not-started') return { run, count: null };
  const lines = run.stderr.text.split('\n');
  const found = lines.find((line) => isCount(line, toMark));
  if (found === undefined) return { run, count: null };
  const [passed = 0, failed = 0, skipped = 0] = toNumbers(found).split(' ').map(Number);
  const text = lines.filter((line) => line !== found).join('\n');
  return { run: { ...run, stderr: { ...run.stderr, text } }, count: { passed, failed, skipped } };
}

function isCount(line: string, toMark: ToMark): boolean {
  const numbers = toNumbers(line);
  return numbers !== '' && line === `${toMark(numbers)} ${numbers}`;
}

function toNumbers(line: string): string {
  return /^[0-9a-f]+ (\d+ \d+ \d+)$/.exec(line)?.[1] ?? '';
}

/** A test that must pass wherever anything can, to tell a runner that does not work by. */
export interface Control {
  readonly runner: string;
  readonly run: () => Promise<CountedTests>;
}

/** The verdict over tests; without a control the runner is known to work. */
export async function judgeTests({ run, count }: CountedTests, control: Control | null): Promise<CheckReport> {
  if (run.kind !== 'exit') return reportNoExit('Running the tests', run);
  if (count !== null) return judgeCount(run, run.code, count);
  if (control !== null && (await control.run()).count?.passed !== 1) {
    return reportRun('notEvaluated', `The test runner of ${control.runner} does not work here.`, run);
  }
  return reportRun('notMet', `The tests did not run to their end; the process exited with ${run.code}.`, run);
}

function judgeCount(run: SandboxResult, exitCode: number, { passed, failed, skipped }: TestCount): CheckReport {
  if (passed + failed === 0) return reportRun('notMet', `There was no test to run; ${skipped} were skipped.`, run);
  const summary = `${passed} tests passed, ${failed} failed, ${skipped} were skipped.`;
  if (failed > 0 || exitCode === 0) return reportRun(failed === 0 ? 'met' : 'notMet', summary, run);
  return reportRun('notMet', `${summary} Afterwards the process exited with ${exitCode}.`, run);
}
