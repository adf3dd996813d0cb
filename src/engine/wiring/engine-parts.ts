import type { Journal } from '../journal/journal.ts';
import type { createDispatcher } from '../net/dispatcher.ts';
import type { ModelProvider } from '../provider/model-provider.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** What all runs of one engine share. */
export interface EngineParts {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens the journal once; after a failure the next call tries again. */
  readonly open: () => Promise<Journal>;
  readonly dispatcher: ReturnType<typeof createDispatcher>;
  readonly sandbox: Sandbox;
  /** Models that the host brought along, and closes itself. */
  readonly ownProvider: ModelProvider | null;
  readonly ownReviewer: ModelProvider | null;
}
