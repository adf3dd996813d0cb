// Reads the result of a command for a check. What went wrong with the run itself is told apart from what the command
// found: a program that never started has not failed.
import { assertNever } from '../../shared/assert-never.ts';
import type { CheckResult } from '../../shared/event.ts';
import { clipText } from '../process/capture-output.ts';
import type { CapName, Isolation, SandboxResult } from '../sandbox/sandbox.ts';
import type { CheckReport } from './check.ts';
import { toReport } from './report.ts';

const maxStreamBytes = 7 * 1024;

/** A report over one command: how it ended, and the head and tail of what it wrote. */
export function reportRun(result: CheckResult, summary: string, run: SandboxResult): CheckReport {
  return toReport(result, summary, { text: `${summary}\n${toRunEvidence(run)}`, isolation: isolationOf(run) });
}

/** The report over a command that came to no exit code of its own. */
export function reportNoExit(what: string, run: Exclude<SandboxResult, { kind: 'exit' }>): CheckReport {
  switch (run.kind) {
    case 'signal':
      return reportRun('notMet', `${what} was ended by ${run.signal}.`, run);
    case 'cap':
      return reportRun('notMet', `${what} was ended because it went over its limit on ${capNames[run.hit.cap]}.`, run);
    case 'cancelled':
      return reportRun('notEvaluated', `${what} was cancelled.`, run);
    case 'not-started': {
      const advice = run.advice === undefined ? '' : ` ${run.advice}`;
      return reportRun('notEvaluated', `${what} could not be started: ${run.program}: ${run.reason}.${advice}`, run);
    }
    default:
      return assertNever(run);
  }
}

const capNames: Record<CapName, string> = {
  wall: 'time (wall)',
  cpu: 'processor time (cpu)',
  memory: 'memory',
  processes: 'processes',
  output: 'output',
  file: 'file size',
  disk: 'disk space',
};

function isolationOf(run: SandboxResult): Isolation | null {
  return run.kind === 'not-started' ? null : run.isolation;
}

function toRunEvidence(run: SandboxResult): string {
  if (run.kind === 'not-started') return 'Nothing ran.';
  return [
    `isolation: ${run.isolation}`,
    toSection('stdout', run.stdout.text),
    toSection('stderr', run.stderr.text),
  ].join('\n');
}

function toSection(name: string, text: string): string {
  const shown = text.trimEnd();
  return shown === '' ? `${name}: (nothing)` : `${name}:\n${clipText(shown, maxStreamBytes)}`;
}
