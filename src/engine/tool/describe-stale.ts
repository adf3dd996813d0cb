// The refusal of a change that was meant for an older version of a file: who made it another one, and what is different.
import type { BlobHash } from '../../shared/id.ts';
import type { FileContent } from '../guard/guard.ts';
import { describeDifference } from './describe-difference.ts';
import type { FileHistory, ToolResult } from './tool.ts';
import { failed, toShortHash } from './tool-result.ts';

/** Why `file` must be read again first, or null when the agent knows it as it is or never looked at it. */
export async function describeStale(file: FileContent, history: FileHistory): Promise<ToolResult | null> {
  const seen = history.lastSeen(file.path);
  if (seen === undefined || seen === file.hash) return null;
  const versions = `you last saw ${toShortHash(seen)}, it is now ${toShortHash(file.hash)}`;
  const text = `${file.path} was changed since you looked at it: ${versions}. Nothing was written.${describeWriter(file, history)} Read it again first.`;
  const before = history.contentOf(seen);
  const difference = before === null ? null : await describeDifference(before, file.bytes, history);
  if (difference === null) return failed(text);
  // What others have written is shown in it.
  return { ...failed(`${text}\nWhat is different since then:\n${difference}`), origin: 'repository' };
}

/** The same for a change of the whole: what another agent has left there goes under unseen. */
export async function describeOverwrite(file: FileContent, history: FileHistory): Promise<ToolResult | null> {
  if (history.lastSeen(file.path) !== undefined) return await describeStale(file, history);
  if (history.lastWriter(file.path)?.isOwn !== false) return null;
  const text = `${file.path} is there already, and you have not looked at it. Nothing was written.`;
  return failed(`${text}${describeWriter(file, history)} Read it first.`);
}

/** A sentence about whoever in this run changed it last, or nothing. `hash`: of what is there; null where nobody can tell. */
export function describeWriter(
  { path, hash }: { readonly path: string; readonly hash: BlobHash | null },
  history: Pick<FileHistory, 'lastWriter'>,
): string {
  const writer = history.lastWriter(path);
  if (writer === null) return '';
  if (writer.hash !== null && hash !== null && writer.hash !== hash)
    return ' No agent of this run wrote what is there now.';
  const who = writer.isOwn ? 'You' : `The agent ${writer.agentId}`;
  const how = writer.hash === null ? ', with a command' : '';
  return ` ${who} changed it last, in step ${writer.step}${how}.`;
}
