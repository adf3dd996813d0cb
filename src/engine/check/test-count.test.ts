import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { SandboxResult } from '../sandbox/sandbox.ts';
import { judgeTests, signedBy, type TestCount, takeCount } from './test-count.ts';

const toRun = (stderr: string, code = 0): SandboxResult => ({
  kind: 'exit',
  code,
  isolation: 'none',
  stdout: { text: '', droppedBytes: 0 },
  stderr: { text: stderr, droppedBytes: 0 },
  durationMs: 1,
  leavings: { kind: 'nothing' },
  survivors: 0,
});
const sign = (numbers: string): string => createHash('sha256').update(`${numbers} word`).digest('hex');

describe('a signed count', () => {
  it('is taken out of what was printed', () => {
    const { run, count } = takeCount(toRun(`before\n${sign('2 1 0')} 2 1 0\nafter`), signedBy('word'));
    expect({ count, text: run.kind === 'exit' && run.stderr.text }).toEqual({
      count: { passed: 2, failed: 1, skipped: 0 },
      text: 'before\nafter',
    });
  });

  it.each([
    ['with other numbers', `${sign('2 1 0')} 3 0 0`],
    ['with another word', `${createHash('sha256').update('3 0 0 other').digest('hex')} 3 0 0`],
    ['with the word itself', 'word 3 0 0'],
    ['with more behind it', `${sign('3 0 0')} 3 0 0 `],
    ['without numbers', sign('')],
    ['within a line', `x${sign('3 0 0')} 3 0 0`],
  ])('is none %s', (_title, line) => {
    expect(takeCount(toRun(line), signedBy('word')).count).toBeNull();
  });
});

describe('judging tests', () => {
  const cases: [string, TestCount | null, number, string, string][] = [
    ['that all passed', { passed: 2, failed: 0, skipped: 1 }, 0, 'met', '2 tests passed, 0 failed, 1 were skipped.'],
    ['of which one failed', { passed: 2, failed: 1, skipped: 0 }, 0, 'notMet', '1 failed'],
    ['that were all skipped', { passed: 0, failed: 0, skipped: 2 }, 0, 'notMet', 'There was no test to run'],
    ['after which the process failed', { passed: 2, failed: 0, skipped: 0 }, 3, 'notMet', 'exited with 3'],
    ['that never came to an end', null, 0, 'notMet', 'did not run to their end; the process exited with 0'],
  ];
  it.each(cases)('answers for tests %s', async (_title, count, code, result, summary) => {
    const run = async () => ({ run: toRun(''), count: { passed: 1, failed: 0, skipped: 0 } });
    for (const control of [{ runner: 'Node', run }, null]) {
      const report = await judgeTests({ run: toRun('', code), count }, control);
      expect(report).toMatchObject({ result, summary: expect.stringContaining(summary) });
    }
  });

  it('leaves the question open where not even a test that must pass does', async () => {
    const broken = async () => ({ run: toRun(''), count: null });
    const report = await judgeTests(await broken(), { runner: 'Node', run: broken });
    expect(report).toMatchObject({ result: 'notEvaluated', summary: 'The test runner of Node does not work here.' });
  });
});
