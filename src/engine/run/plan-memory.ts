// What an answer is to be remembered as: which rule, for how long, in which file, and what it would have meant so far.
import type { ApprovalChoice, Remember, RememberedRule, RulePreview } from '../../shared/approval.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { RunState } from '../../shared/run-state.ts';
import { assertRememberable } from '../approval/assert-rememberable.ts';
import { type PastAct, previewRule } from '../approval/preview-rule.ts';
import { toProjectPolicyFile, toUserPolicyFile } from '../approval/scope-file.ts';
import { readScopeText } from '../approval/scope-text.ts';
import type { JournalReader } from '../journal/journal.ts';
import { parsePolicyFile } from '../policy/parse-policy-file.ts';
import type { ApprovalRequest, DecideParams } from './engine.ts';

export interface PlannedMemory {
  readonly remember: Remember;
  /** Where the rule will stand; null for a run. */
  readonly file: string | null;
  readonly preview: RulePreview;
}

export interface MemoryOptions {
  readonly home: string;
  readonly reader: JournalReader;
  readonly state: RunState;
  readonly asked: ApprovalRequest;
  readonly decision: ApprovalChoice;
  readonly remember: NonNullable<DecideParams['remember']>;
}

/** Throws `remember-refused`. */
export function planMemory({ home, reader, state, asked, decision, remember }: MemoryOptions): PlannedMemory {
  const { scope, pattern } = remember;
  const planned: Remember = { scope, rule: chooseRule(asked, decision, pattern) };
  const file = toFile(home, state, scope);
  if (file !== null) assertReadable(file);
  return { remember: planned, file, preview: previewRule(planned, readPastActs(reader)) };
}

/** A pattern that a person typed says nothing about the kind of act: it is the first asked one that it can answer. */
function chooseRule(asked: ApprovalRequest, decision: ApprovalChoice, pattern: string | undefined): RememberedRule {
  const { acts, proposals, isolation, untrusted, sensitive } = asked.details;
  if (decision === 'defer') throw refused('a question that is left open says nothing to remember');
  const [proposed] = proposals;
  if (pattern === undefined && proposed === undefined)
    throw refused('no rule is narrow enough to stand for this request');
  const kinds = new Set(acts.flatMap(({ act, verdict }) => (verdict.effect === 'ask' ? [act.kind] : [])));
  const wanted = pattern === undefined ? proposals.slice(0, 1) : [...kinds].map((act) => ({ act, pattern }));
  const effect = decision === 'approve' ? 'allow' : 'deny';
  const isTainted = untrusted !== null && sensitive !== null;
  let failure: unknown = refused('it asks about no act');
  for (const { act, pattern } of wanted) {
    const rule = { act, effect, pattern } as const;
    try {
      assertRememberable({ rule, acts, isTainted });
      return act === 'exec' && effect === 'allow' ? { ...rule, isolation } : rule;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function toFile(home: string, { settings }: RunState, scope: Remember['scope']): string | null {
  switch (scope) {
    case 'run':
      return null;
    case 'project':
      return toProjectPolicyFile(home, settings.workspace.path);
    case 'user':
      return toUserPolicyFile(home);
  }
}

/** Found out before the answer counts: afterwards it could not be taken back. */
function assertReadable(file: string): void {
  try {
    const present = readScopeText(file);
    if (present !== null) parsePolicyFile(present.text, file);
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error));
  }
}

/** How far a preview looks back. */
const newestRuns = 50;
const actsOfRun = 2000;

function* readPastActs(reader: JournalReader): Generator<PastAct> {
  for (const { runId } of reader.listRuns(newestRuns)) {
    for (const act of reader.readActs(runId, 0, actsOfRun).toReversed()) yield { ...act, run: runId };
  }
}

const refused = (why: string): EngineError =>
  new EngineError('remember-refused', `Nothing can be remembered with this answer: ${why}.`, {
    remedy: 'Answer without remembering.',
  });
