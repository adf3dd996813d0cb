// The refusal of a change that was meant for an older version of a file.
import type { FileContent } from '../guard/guard.ts';
import type { ToolContext } from './tool.ts';
import { toShortHash } from './tool-result.ts';

/** Why `file` must be read again first, or null when the agent knows it as it is or never looked at it. */
export function describeStale(file: FileContent, context: ToolContext): string | null {
  const seen = context.lastSeen(file.path);
  if (seen === undefined || seen === file.hash) return null;
  const versions = `you last saw ${toShortHash(seen)}, it is now ${toShortHash(file.hash)}`;
  return `${file.path} was changed since you looked at it: ${versions}. Nothing was written. Read it again first.`;
}
