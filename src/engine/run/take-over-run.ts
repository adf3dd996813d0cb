// A person's word that the driver of a run is gone, where no process here can tell: the run is taken from it, and whoever
// resumes it has it. Should that driver live all the same, it finds its lease lost before whatever it would do next.
import { EngineError } from '../../shared/engine-error.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import { type RunId, rootAgentId } from '../../shared/id.ts';
import type { RunState } from '../../shared/run-state.ts';
import type { Journal, LeaseOwner } from '../journal/journal.ts';
import { endOwnerProcesses } from '../sandbox/leftovers/end-owner-processes.ts';
import { assertAdopted } from './assert-adopted.ts';
import type { TakenOver } from './engine.ts';
import { assertEnded, runOwned } from './take-lease.ts';

/** Throws `run-imported`, `run-owned` while the driver is seen to live, and `processes-left` while what a dead one started does. */
export async function takeOverRun({ reader, writer }: Journal, state: RunState, actor: string): Promise<TakenOver> {
  const { runId } = state;
  assertAdopted(state);
  const owner = reader.readOwner(runId);
  if (owner === null) return { runId, from: null };
  const { alive, certain, why } = reader.readOwnerLife(owner);
  if (alive && certain) throw runOwned(runId, why);
  const from = { machine: owner.machineId, pid: owner.pid };
  const { step } = agentOf(state, { agentId: rootAgentId });
  const body = { type: 'run-takeover', actor, from, because: why } as const;
  const event = { agentId: rootAgentId, step, at: Date.now(), body, subject: null };
  let wrested = await writer.wrestLease(runId, owner, event);
  if (wrested.kind === 'dead') {
    await endWhatCanBeSeen(runId, owner);
    wrested = await writer.wrestLease(runId, owner, event, owner);
  }
  switch (wrested.kind) {
    case 'wrested':
      return { runId, from };
    case 'held':
      throw runOwned(runId, wrested.why);
    case 'dead':
    case 'changed':
      throw new EngineError('run-owned', `Run ${runId} has changed hands in this moment.`, {
        remedy: 'Look who drives it with "io-studio runs", and try again.',
      });
  }
}

/** What cannot be seen is what the person vouches for; what can is ended, or refused as for anybody. */
async function endWhatCanBeSeen(runId: RunId, owner: LeaseOwner): Promise<void> {
  const ending = await endOwnerProcesses(owner);
  if (ending.kind !== 'unseen') assertEnded(runId, owner, ending);
}
