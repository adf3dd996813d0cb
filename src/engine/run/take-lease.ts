// The right to drive a run that was begun elsewhere. From a dead driver it is taken only after what that one had started is
// ended: at no moment do the commands of two drivers work in one workspace.
import { EngineError } from '../../shared/engine-error.ts';
import type { RunId } from '../../shared/id.ts';
import type { JournalWriter, Lease, LeaseOwner } from '../journal/journal.ts';
import { endOwnerProcesses, type OwnerEnding } from '../sandbox/leftovers/end-owner-processes.ts';

export type EndOwner = (owner: LeaseOwner) => Promise<OwnerEnding>;

/** Throws `run-owned` when somebody drives it, and `processes-left` when what a dead driver started may still run. */
export async function takeLease(
  writer: Pick<JournalWriter, 'takeLease'>,
  runId: RunId,
  endOwner: EndOwner = endOwnerProcesses,
): Promise<Lease> {
  const first = await writer.takeLease(runId);
  if (first.kind === 'taken') return first.lease;
  if (first.kind === 'held') throw runOwned(runId, first.why);
  assertEnded(runId, first.owner, await endOwner(first.owner));
  const second = await writer.takeLease(runId, first.owner);
  if (second.kind === 'taken') return second.lease;
  throw runOwned(runId, second.kind === 'held' ? second.why : 'another process was quicker, and has died since');
}

export const runOwned = (runId: RunId, why: string): EngineError =>
  new EngineError('run-owned', `Run ${runId} is being driven by another process: ${why}.`, {
    remedy: `Wait for it to end, or stop that process first; it can be read meanwhile with "io-studio trace ${runId}". Where that process cannot be seen from here and is known to be gone, "io-studio takeover ${runId}" takes the run from it.`,
  });

/** Throws `processes-left`. */
export function assertEnded(runId: RunId, { pid }: LeaseOwner, ending: OwnerEnding): void {
  switch (ending.kind) {
    case 'ended':
      return;
    case 'survivors':
      throw new EngineError(
        'processes-left',
        `Process ${pid}, which drove run ${runId}, has ended, but what it started still runs and cannot be ended from here: ${listPids(ending.pids)}.`,
        { remedy: `End these processes, then resume the run again: they may be at work in its workspace.` },
      );
    case 'unseen':
      throw new EngineError(
        'processes-left',
        `Process ${pid}, which drove run ${runId}, has ended in another container or pid namespace, where nobody can see from here whether what it started still runs.`,
        {
          remedy: `Make sure that nothing of it is left there, say so with "io-studio takeover ${runId}", then resume the run.`,
        },
      );
  }
}

function listPids(pids: readonly number[]): string {
  const shown = pids.slice(0, shownPids).join(', ');
  return pids.length > shownPids ? `${shown} and ${pids.length - shownPids} more` : shown;
}

const shownPids = 20;
