import type { Journal } from '../journal/journal.ts';
import type { createDispatcher } from '../net/dispatcher.ts';
import type { FetchPage } from '../net/fetch-page.ts';
import type { ModelProvider } from '../provider/model-provider.ts';
import type { OpenSandbox } from './sandbox-source.ts';

/** What all runs of one engine share. */
export interface EngineParts {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens the journal once; after a failure the next call tries again. */
  readonly open: () => Promise<Journal>;
  readonly dispatcher: ReturnType<typeof createDispatcher>;
  readonly fetchPage: FetchPage;
  readonly openSandbox: OpenSandbox;
  /** Models that the host brought along, and closes itself. */
  readonly ownProvider: ModelProvider | null;
  readonly ownReviewer: ModelProvider | null;
}
