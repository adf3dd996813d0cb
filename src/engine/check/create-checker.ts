// Decides whether a contract is met: one check for each kind of criterion. `all` stops at the first part that is not met,
// and its evidence names every part that was looked at.
import { assertNever } from '../../shared/assert-never.ts';
import type { LeafVerification, Verification } from '../../shared/verification.ts';
import type { GuardedFiles } from '../guard/guard.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Checker, CheckReport } from './check.ts';
import { checkCommand } from './check-command.ts';
import type { CheckContext } from './check-context.ts';
import { checkFileContains } from './check-file-contains.ts';
import { checkFileEquals } from './check-file-equals.ts';
import { checkGoTest } from './check-go-test.ts';
import { checkMatchesSchema } from './check-matches-schema.ts';
import { checkNodeTest } from './check-node-test.ts';
import { checkPythonTest } from './check-python-test.ts';
import { checkRustCompiles } from './check-rust-compiles.ts';
import { checkRustTest } from './check-rust-test.ts';
import { findChangedInputs } from './find-changed-inputs.ts';
import { toReport } from './report.ts';
import { watchCommands } from './watch-commands.ts';

const maxFileBytes = 64 * 1024 ** 2;

export interface CheckerOptions {
  readonly sandbox: Sandbox;
  /** Absolute path. */
  readonly workspace: string;
  readonly files: Pick<GuardedFiles, 'read'>;
  /** What of the workspace no command may see, as relative paths; asked before each. */
  readonly hidden: () => Promise<readonly string[]>;
  /** What the run has changed until now, as paths relative to the workspace. */
  readonly changedPaths: () => readonly string[];
}

export function createChecker({ sandbox, workspace, files, hidden, changedPaths }: CheckerOptions): Checker {
  return {
    async check(verification, watch, signal) {
      const readFile: CheckContext['readFile'] = (path) => files.read(path, maxFileBytes);
      const watched = watchCommands(sandbox, watch);
      const report = await checkAny(verification, { sandbox: watched, workspace, readFile, hidden, signal });
      return withChangedInputs(report, findChangedInputs(verification, changedPaths()));
    },
  };
}

function withChangedInputs(report: CheckReport, inputs: readonly string[]): CheckReport {
  if (inputs.length === 0) return report;
  const shown = inputs.slice(0, maxShownInputs).map((path) => `  ${path}`);
  const more = inputs.length > maxShownInputs ? [`  and ${inputs.length - maxShownInputs} more`] : [];
  const lines = [report.evidence, 'This run itself has changed what the check depends on:', ...shown, ...more];
  return toReport(report.result, report.summary, { text: lines.join('\n'), isolation: report.isolation });
}

const maxShownInputs = 100;

async function checkAny(verification: Verification, context: CheckContext): Promise<CheckReport> {
  switch (verification.kind) {
    case 'none':
      return toReport('notEvaluated', 'The contract names no criterion.');
    case 'all':
      return checkAll(verification.of, context);
    default:
      return checkLeaf(verification, context);
  }
}

async function checkAll(parts: readonly LeafVerification[], context: CheckContext): Promise<CheckReport> {
  const lines: string[] = [];
  let isolation: CheckReport['isolation'] = null;
  for (const [index, part] of parts.entries()) {
    const report = await checkLeaf(part, context);
    isolation ??= report.isolation;
    const title = `Part ${index + 1} of ${parts.length}, ${part.kind}: `;
    if (report.result !== 'met') {
      const text = [...lines, `${title}${report.evidence}`].join('\n');
      return toReport(report.result, `${title}${report.summary}`, { text, isolation });
    }
    lines.push(`${title}${report.summary}`);
  }
  return toReport('met', `All ${parts.length} parts hold.`, { text: lines.join('\n'), isolation });
}

function checkLeaf(verification: LeafVerification, context: CheckContext): Promise<CheckReport> {
  switch (verification.kind) {
    case 'fileContains':
      return checkFileContains(verification, context);
    case 'fileEquals':
      return checkFileEquals(verification, context);
    case 'command':
      return checkCommand(verification, context);
    case 'matchesSchema':
      return checkMatchesSchema(verification, context);
    case 'rustCompiles':
      return checkRustCompiles(verification, context);
    case 'rustTest':
      return checkRustTest(verification, context);
    case 'nodeTest':
      return checkNodeTest(verification, context);
    case 'pythonTest':
      return checkPythonTest(verification, context);
    case 'goTest':
      return checkGoTest(verification, context);
    default:
      return assertNever(verification);
  }
}
