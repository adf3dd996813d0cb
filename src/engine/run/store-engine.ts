// What a host asks of the store as a whole, and of runs as files.
import type { RunId } from '../../shared/id.ts';
import type { Retention } from '../journal/retention/open-retention.ts';

export interface AdoptRunParams {
  readonly runId: RunId;
  readonly workspace: string;
  /** Who adopts it, as the trace will name them. */
  readonly actor: string;
  /** Adopt it although other machines can reach the home: nothing but this machine ever uses it. */
  readonly sharedHome?: 'allow' | undefined;
}

/** What whoever adopts a run takes over with it. */
export interface AdoptedRun {
  readonly runId: RunId;
  readonly workspace: string;
  readonly goal: string;
  /** How the run will be checked, in words: commands in it are run when it is resumed. */
  readonly check: string;
  /** Calls that had been started elsewhere, and of which nobody here can know what became. */
  readonly unknownCalls: number;
}

export interface StoreEngine extends Retention {
  /** What is said of a store that has outgrown its quota; null for one that has not. Asks only the file system. */
  findQuotaWarning(): string | null;
  /**
   * Takes an imported run as one's own, in a workspace named now, without the permissions and answers given elsewhere. Rejects
   * with `store-shared`, `usage` (not imported), `workspace-unusable`, `run-imported` (not all of its contract came with it) and `run-owned`.
   */
  adoptRun(params: AdoptRunParams): Promise<AdoptedRun>;
}
