// command: the exit code decides and nothing else; no output is no sign of success. A program that is not on this machine
// leaves the question open, but one that the workspace should hold and does not is the subject's own fault. What the command
// changes is thrown away, so that a check can neither help nor spoil what it looks at.
import { isAbsolute, join, posix } from 'node:path';
import type { LeafVerification } from '../../shared/verification.ts';
import { isExecutableFile } from '../process/is-executable-file.ts';
import type { Leavings } from '../sandbox/sandbox.ts';
import type { CheckReport } from './check.ts';
import { type CheckContext, runInWorkspace } from './check-context.ts';
import { toReport } from './report.ts';
import { reportNoExit, reportRun } from './report-run.ts';

export async function checkCommand(
  { argv, expectExit }: Extract<LeafVerification, { kind: 'command' }>,
  context: CheckContext,
): Promise<CheckReport> {
  const [name, ...rest] = argv;
  const program = findProgram(name, context.workspace);
  if (program.kind === 'unusable') return toReport(program.result, program.reason);
  const run = await runInWorkspace(context, [program.name, ...rest]);
  const what = `The command ${argv.map((word) => JSON.stringify(word)).join(' ')}`;
  if (run.kind !== 'exit') return reportNoExit(what, run);
  const discarded = describeDiscarded(run.leavings);
  if (run.code === expectExit) return reportRun('met', `${what} exited with ${run.code}.${discarded}`, run);
  return reportRun('notMet', `${what} exited with ${run.code}; expected was ${expectExit}.${discarded}`, run);
}

type FoundProgram =
  | { readonly kind: 'found'; readonly name: string }
  | { readonly kind: 'unusable'; readonly result: 'notMet' | 'notEvaluated'; readonly reason: string };

/** A bare name or absolute path means a program of this machine, for the sandbox to find; any other path one of the workspace. */
function findProgram(name: string, workspace: string): FoundProgram {
  if (isAbsolute(name) || !name.includes('/')) return { kind: 'found', name };
  const path = posix.normalize(name);
  if (path === '..' || path.startsWith('../')) {
    return { kind: 'unusable', result: 'notEvaluated', reason: `The program ${name} lies outside the workspace.` };
  }
  if (isExecutableFile(join(workspace, path))) return { kind: 'found', name: `./${path}` };
  return { kind: 'unusable', result: 'notMet', reason: `There is no executable file ${name} in the workspace.` };
}

/** A sentence to go on with; empty when the workspace is as it was. */
function describeDiscarded(leavings: Leavings): string {
  if (leavings.kind === 'too-much') return ` It changed a great deal; ${notKept}`;
  const count = leavings.kind === 'changes' ? leavings.changes.length + leavings.lost.length : 0;
  return count === 0 ? '' : ` It changed ${count === 1 ? '1 file' : `${count} files`}; ${notKept}`;
}

const notKept = "a check's changes are not kept.";
