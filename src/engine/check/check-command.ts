// command: the exit code decides and nothing else; no output is no sign of success. A program that is not on this machine
// leaves the question open, but one that the workspace should hold and does not is the subject's own fault.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { LeafVerification } from '../../shared/verification.ts';
import { resolveProgram } from '../process/resolve-program.ts';
import type { CheckReport } from './check.ts';
import { type CheckContext, runInSandbox } from './check-context.ts';
import { toReport } from './report.ts';
import { reportNoExit, reportRun } from './report-run.ts';

export async function checkCommand(
  { argv, expectExit }: Extract<LeafVerification, { kind: 'command' }>,
  context: CheckContext,
): Promise<CheckReport> {
  const [name, ...rest] = argv;
  const program = findProgram(name, context.workspace);
  if (program.kind === 'unusable') return toReport(program.result, program.reason);
  const run = await runInSandbox(context, [program.path, ...rest], context.workspace);
  const what = `The command ${argv.map((word) => JSON.stringify(word)).join(' ')}`;
  if (run.kind !== 'exit') return reportNoExit(what, run);
  if (run.code === expectExit) return reportRun('met', `${what} exited with ${run.code}.`, run);
  return reportRun('notMet', `${what} exited with ${run.code}; expected was ${expectExit}.`, run);
}

type FoundProgram =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'unusable'; readonly result: 'notMet' | 'notEvaluated'; readonly reason: string };

/** A bare name or absolute path means a program of this machine; any other path one of the workspace. */
function findProgram(name: string, workspace: string): FoundProgram {
  if (isAbsolute(name) || !name.includes('/')) {
    const path = resolveProgram(name);
    if (path !== null) return { kind: 'found', path };
    return { kind: 'unusable', result: 'notEvaluated', reason: `The program ${name} is not on this machine.` };
  }
  const inside = resolve(workspace, name);
  const way = relative(workspace, inside);
  if (way === '..' || way.startsWith(`..${sep}`)) {
    return { kind: 'unusable', result: 'notEvaluated', reason: `The program ${name} lies outside the workspace.` };
  }
  const path = resolveProgram(inside);
  if (path !== null) return { kind: 'found', path };
  return { kind: 'unusable', result: 'notMet', reason: `There is no executable file ${name} in the workspace.` };
}
