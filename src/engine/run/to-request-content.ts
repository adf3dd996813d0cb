// Exactly what a call would write or run, as text that a person can read to its end.
import { createTwoFilesPatch } from 'diff';
import type { RequestDetails } from '../../shared/approval.ts';
import type { PreparedCall } from '../tool/tool.ts';
import { toText } from './decode-text.ts';
import type { ReadyCall } from './proposed-call.ts';
import type { StagedWork } from './staged-call.ts';
import { toChangesText } from './to-changes-text.ts';

export function toRequestContent(ready: ReadyCall, plan: PreparedCall | StagedWork): RequestDetails['content'] {
  switch (plan.kind) {
    case 'command':
      return { kind: 'command', text: plan.text };
    case 'request':
      return { kind: 'text', text: plan.text };
    case 'change':
      return toChange(plan);
    case 'apply':
      return { kind: 'diff', text: toChangesText(plan.changes) };
    case 'plan':
      return { kind: 'plan', text: plan.text };
    case 'spawn':
      return { kind: 'text', text: JSON.stringify(plan, null, 2) };
    case 'hold':
    case 'mail':
    case 'answer':
    case 'look':
      return { kind: 'text', text: `${ready.tool.name} ${ready.target}` };
  }
}

/** A difference that takes longer is shown as the whole new content. */
const diffWallMs = 500;

function toChange({ path, before, after }: Extract<PreparedCall, { kind: 'change' }>): RequestDetails['content'] {
  const [old, now] = [before === null ? '' : toText(before.bytes), toText(after)];
  if (old === null || now === null) return { kind: 'text', text: describeBytes(path, before?.bytes ?? null, after) };
  if (before === null) return { kind: 'text', text: now };
  const diff = createTwoFilesPatch(path, path, old, now, 'before', 'after', { context: 3, timeout: diffWallMs });
  return diff === undefined ? { kind: 'text', text: now } : { kind: 'diff', text: diff };
}

function describeBytes(path: string, before: Uint8Array | null, after: Uint8Array): string {
  const old = before === null ? 'nothing' : `${before.length} bytes`;
  return `${path} is not text in UTF-8: ${old} would become ${after.length} bytes.`;
}
