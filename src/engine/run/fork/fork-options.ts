// What a fork works with: the journal it reads and writes, and what guards the workspaces of both runs.
import type { Journal } from '../../journal/journal.ts';
import type { Redactor } from '../../journal/redactor.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';

export interface ForkRunOptions {
  readonly home: string;
  readonly journal: Journal;
  readonly redactor: Redactor;
  readonly sandbox: Sandbox;
}
