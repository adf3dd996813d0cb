import type { RunId } from '../../../shared/id.ts';
import type { Guard } from '../../guard/guard.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Redactor } from '../../journal/redactor.ts';
import type { Stance } from '../../policy/policy.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

/** What a rewind is given. */
export interface RewindOptions {
  readonly home: string;
  readonly journal: Journal;
  readonly redactor: Redactor;
  readonly sandbox: Sandbox;
  readonly runId: RunId;
}

/** What it works with once the workspace is open. */
export interface RewindPorts extends RewindOptions {
  readonly guard: Guard;
  /** What the person who rewinds is judged by: the run's policy, and none of what its agents were shown. */
  readonly stance: Stance;
}
