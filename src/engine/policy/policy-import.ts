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
