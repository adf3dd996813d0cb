// nodeTest: the contract's tests pass against the subject, under the Node that commands get. What shares a process can be
// attacked from within it: this holds against a subject that patches, exits, prints or skips, not against one that debugs
// its own process.
import { randomBytes } from 'node:crypto';
import type { LeafVerification } from '../../shared/verification.ts';
import type { BoxFile } from '../sandbox/sandbox.ts';
import { gatePrefix, toBoxFile } from './box-file.ts';
import type { CheckReport } from './check.ts';
import { type CheckContext, runInBox } from './check-context.ts';
import { gateScript, gateSource, secretFile } from './node-test-gate.ts';
import { readSubject } from './read-subject.ts';
import { type CountedTests, judgeTests, takeCount } from './test-count.ts';

export async function checkNodeTest(
  { files, testSource }: Extract<LeafVerification, { kind: 'nodeTest' }>,
  context: CheckContext,
): Promise<CheckReport> {
  const subject = await readSubject(files, context);
  if (subject.kind === 'unusable') return subject.report;
  const tests = await runTests(testSource, subject.files, context);
  return judgeTests(tests, { runner: 'Node', run: () => runTests(controlSource, [], context) });
}

const controlSource = "import test from 'node:test';\ntest('control', () => {});\n";

async function runTests(source: string, subject: readonly BoxFile[], context: CheckContext): Promise<CountedTests> {
  const word = randomBytes(16).toString('hex');
  const testFile = `${gatePrefix}${randomBytes(8).toString('hex')}.test.mjs`;
  const files = [
    ...subject,
    toBoxFile(testFile, source),
    toBoxFile(gateScript, gateSource),
    toBoxFile(secretFile, JSON.stringify({ word, testFile })),
  ];
  const run = await runInBox(context, ['node', '--no-warnings', '--test-reporter=spec', `./${gateScript}`], { files });
  return takeCount(run, () => word);
}
