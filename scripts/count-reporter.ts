// A vitest reporter for scripts: names every skipped test with its reason and every process that outlived the tests, and
// closes with one plain line that counts. It speaks when the process ends: by then every worker has ended, and nothing can
// follow the last line.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { findSurvivors } from './find-survivors.ts';

export default class CountReporter implements Reporter {
  readonly #runId = randomUUID();

  /** Workers and what they start inherit the mark. */
  onInit(): void {
    process.env.IO_STUDIO_TEST_RUN = this.#runId;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const skipped = tests.filter((test) => toState(test) === 'skipped');
    const passed = tests.filter((test) => toState(test) === 'passed').length + countChecks('IO_STUDIO_CHECKS_PASSED');
    const failed =
      tests.filter((test) => toState(test) === 'failed').length +
      modules.filter((module) => module.errors().length > 0).length +
      unhandledErrors.length +
      countChecks('IO_STUDIO_CHECKS_FAILED');
    process.once('exit', () => {
      const survivors = findSurvivors(`IO_STUDIO_TEST_RUN=${this.#runId}`);
      if (survivors.length > 0) process.exitCode = 1;
      const lines = [
        ...skipped.map((test) => `skipped: ${test.module.relativeModuleId} > ${test.fullName}: ${toReason(test)}`),
        ...survivors.map(({ pid, command }) => `outlived the tests: ${pid} ${command}`),
        `${passed} passed, ${failed + survivors.length} failed, ${skipped.length} skipped`,
      ];
      writeSync(1, `${lines.join('\n')}\n`);
    });
  }
}

/** A test that was never reached, because its file stopped before it, did not pass. */
function toState(test: TestCase): 'passed' | 'failed' | 'skipped' {
  const { state } = test.result();
  return state === 'pending' ? 'failed' : state;
}

/** Those that are only run where something is found say so in their titles. */
function toReason(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  return note ?? /\((needs [^)]+)\)/.exec(test.fullName)?.[1] ?? 'no reason given';
}

/** Checks that ran before the tests, named with spaces between them. */
function countChecks(variable: string): number {
  return (process.env[variable] ?? '').split(' ').filter((name) => name !== '').length;
}
