// Makes the changes of a command that has run, one path after the other, and tells which were made. Making one again that a
// crash cut off is no harm: what is already there counts as made.
import type { ChangeMade, Guard } from '../guard/guard.ts';
import { passCrashPoint } from '../journal/crash-point.ts';
import type { Stance } from '../policy/policy.ts';
import type { WorkspaceChange } from '../sandbox/sandbox.ts';
import type { FileHistory, Tool, ToolResult } from '../tool/tool.ts';
import { createDescribeOvertaken } from './describe-overtaken.ts';
import { isToolsOwn } from './judge-staged.ts';
import type { StagedWork } from './staged-call.ts';
import { toPathText } from './to-path-text.ts';

export interface AppliedChanges {
  readonly result: ToolResult;
  /** What in the workspace is another than before. */
  readonly paths: readonly string[];
  /** It was stopped on the way: the rest may be made by making all of it again. */
  readonly isCutOff: boolean;
}

export interface ApplyOptions {
  readonly tool: Tool;
  /** `ask`: somebody said yes to what asks. */
  readonly permitted: 'allow' | 'ask';
  /** None of it can be made yet. */
  readonly isFirstTry: boolean;
  readonly history: FileHistory;
  readonly signal: AbortSignal;
}

export async function applyChanges(
  guard: Guard,
  stance: Stance,
  work: StagedWork,
  options: ApplyOptions,
): Promise<AppliedChanges> {
  const { tool, permitted, history, signal } = options;
  const describeOvertaken = createDescribeOvertaken(guard.files(stance, permitted), history);
  const paths: string[] = [];
  const made: string[] = [];
  const missed: string[] = [];
  let isCutOff = false;
  for (const batch of toBatches(work.changes)) {
    passCrashPoint('between-changes');
    isCutOff = signal.aborted;
    const problems = await Promise.all(
      batch.map(async (change) => {
        if (isCutOff) return stopped;
        const end = await applyOne(guard, stance, change, options);
        return end.kind === 'stale' ? await describeOvertaken(change) : toProblem(end);
      }),
    );
    for (const [index, change] of batch.entries()) {
      const problem = problems[index] ?? null;
      if (problem !== null) missed.push(`${toPathText(change.path)}: ${problem}`);
      else {
        paths.push(change.path);
        if (!isToolsOwn(tool, change)) made.push(`${describeKind(change)} ${toPathText(change.path)}`);
      }
    }
  }
  const text = [work.text, ...toLines('Changed in the workspace', made), ...toLines('Not changed', missed)].join('\n');
  const status = missed.length === 0 ? work.status : 'failed';
  return { result: { status, text, origin: 'command', seen: [] }, paths, isCutOff };
}

const stopped = 'the run was stopped before it came to this';

/** A disk takes many contents at once in little more time than one. */
const maxTogether = 16;

/** In their order; together only what needs no other to be made first: neither side of it is a directory. */
export function toBatches(changes: readonly WorkspaceChange[]): WorkspaceChange[][] {
  const batches: WorkspaceChange[][] = [];
  let open: WorkspaceChange[] | null = null;
  for (const change of changes) {
    const isAlone = change.before?.kind === 'directory' || change.after?.kind === 'directory';
    if (open === null || isAlone || open.length >= maxTogether) {
      open = [];
      batches.push(open);
    }
    open.push(change);
    if (isAlone) open = null;
  }
  return batches;
}

function applyOne(
  guard: Guard,
  stance: Stance,
  change: WorkspaceChange,
  { tool, isFirstTry, ...options }: ApplyOptions,
): Promise<ChangeMade> {
  const permitted = isToolsOwn(tool, change) ? 'ask' : options.permitted;
  return guard.change(change, { permitted, isFirstTry }, stance);
}

/** Why it was not made; null when it was. */
function toProblem(end: Exclude<ChangeMade, { kind: 'stale' }>): string | null {
  switch (end.kind) {
    case 'made':
      return null;
    case 'unpermitted':
      return end.because;
    case 'unwritable':
      return end.reason;
  }
}

function describeKind({ before, after }: WorkspaceChange): string {
  if (after === null) return 'removed';
  return before === null ? 'created' : 'changed';
}

const maxLines = 50;

function toLines(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const more = items.length - maxLines;
  return [
    `${title}:`,
    ...items.slice(0, maxLines).map((item) => `- ${item}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}
