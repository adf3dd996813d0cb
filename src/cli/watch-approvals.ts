// Questions and answers as they come, from whichever runs and processes.
import type { ApprovalRequest, Engine, RunId } from '../engine/index.ts';

export interface WatchOptions {
  readonly engine: Pick<Engine, 'listApprovals' | 'readApproval'>;
  readonly runId: RunId | undefined;
  /** What is known to wait already. */
  readonly seen: readonly ApprovalRequest[];
  /** Gets new questions, and those that have been answered. */
  readonly write: (requests: readonly ApprovalRequest[]) => void;
  /** When to look; the watch ends with it. */
  readonly looks: AsyncIterable<unknown>;
}

export async function watchApprovals({ engine, runId, seen, write, looks }: WatchOptions): Promise<void> {
  let known = new Set(seen.map(({ request }) => request));
  for await (const _look of looks) {
    const waiting = await engine.listApprovals(runId);
    const now = new Set(waiting.map(({ request }) => request));
    const gone = [...known].filter((request) => !now.has(request));
    const settled = await Promise.all(gone.map((request) => engine.readApproval(request)));
    write(settled.filter(({ answer }) => answer !== null)); // What has lapsed comes again as a new one.
    write(waiting.filter(({ request }) => !known.has(request)));
    known = now;
  }
}
