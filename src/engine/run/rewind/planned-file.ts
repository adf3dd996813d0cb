import type { PutBackFile } from '../../../shared/rewind.ts';
import type { Guard } from '../../guard/guard.ts';
import type { Stance } from '../../policy/policy.ts';
import type { WorkspaceChange } from '../../sandbox/sandbox.ts';

export interface PlannedFile extends PutBackFile {
  /** What is to be done about it; null: nothing. */
  readonly change: WorkspaceChange | null;
  /** It is not as the run has left it: it is only put back when a copy of it is kept. */
  readonly isForeign: boolean;
}

export interface PutBackOptions {
  readonly guard: Guard;
  readonly stance: Stance;
  /** `keep-copy`: also what somebody else has changed since. */
  readonly foreign: 'leave' | 'keep-copy';
}
