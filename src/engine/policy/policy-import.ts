// What comes of reading another tool's permission settings. An import is never wider than what it was made from: whatever
// cannot be said here as exactly is said more strictly or left out, and a note tells which.
import type { PolicyFile } from './policy-file.ts';

/** A setting that was not carried over as it stood. */
export interface ImportNote {
  /** The setting as it stands in the source: `permissions.allow[2] Bash(ls:*)`. */
  readonly setting: string;
  readonly reason: string;
}

export interface PolicyImport {
  readonly source: 'claude' | 'opencode';
  readonly policy: PolicyFile;
  readonly notes: readonly ImportNote[];
}

/** Why a rule for a tool was left out; `lookingTools` are those of its source that find files and look through them. */
export function toToolNote(tool: string, lookingTools: ReadonlySet<string>): string {
  if (lookingTools.has(tool))
    return 'left out: to search and to list is to read here, and judged as that for every file';
  return 'left out: no tool here is like it';
}
