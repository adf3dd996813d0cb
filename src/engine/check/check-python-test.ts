// pythonTest: the contract's tests of unittest pass against the subject. What shares a process can be attacked from within
// it: this holds against a subject that patches, exits, prints or skips, not against one that searches the frames, objects
// or memory of its own process; and no test can hold against a value that says it equals whatever it is compared with.
import { randomBytes } from 'node:crypto';
import type { LeafVerification } from '../../shared/verification.ts';
import type { BoxFile } from '../sandbox/sandbox.ts';
import { toBoxFile } from './box-file.ts';
import type { CheckReport } from './check.ts';
import { type CheckContext, runInBox } from './check-context.ts';
import { gateScript, gateSource, secretFile } from './python-test-gate.ts';
import { readSubject } from './read-subject.ts';
import { type CountedTests, judgeTests, signedBy, takeCount } from './test-count.ts';

export async function checkPythonTest(
  { files, testSource }: Extract<LeafVerification, { kind: 'pythonTest' }>,
  context: CheckContext,
): Promise<CheckReport> {
  const subject = await readSubject(files, context);
  if (subject.kind === 'unusable') return subject.report;
  const tests = await runTests(testSource, subject.files, context);
  return judgeTests(tests, { runner: 'Python', run: () => runTests(controlSource, [], context) });
}

const controlSource = 'import unittest\nclass Control(unittest.TestCase):\n    def test_control(self): pass\n';

/** Isolated mode: neither variables, nor a home, nor what lies beside the script is looked at before the script runs. */
async function runTests(source: string, subject: readonly BoxFile[], context: CheckContext): Promise<CountedTests> {
  const word = randomBytes(16).toString('hex');
  const files = [
    ...subject,
    toBoxFile(gateScript, gateSource),
    toBoxFile(secretFile, JSON.stringify({ word, source })),
  ];
  const run = await runInBox(context, ['python3', '-I', '-B', `./${gateScript}`], { files });
  return takeCount(run, signedBy(word));
}
