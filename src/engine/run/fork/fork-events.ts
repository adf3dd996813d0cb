// The first events of a fork: its own contract, settings and ledger, and what it takes along of the run it comes from.
import type { BlobRef } from '../../../shared/blob-ref.ts';
import type { ContextItem } from '../../../shared/context-item.ts';
import type { ForkChange, ForkPlace } from '../../../shared/event/fork-events.ts';
import type { DriverEventBody, SeenFile } from '../../../shared/event.ts';
import { agentOf } from '../../../shared/find-in-run.ts';
import { rootAgentId } from '../../../shared/id.ts';
import type { PutBackFile } from '../../../shared/rewind.ts';
import type { AgentState, RunState } from '../../../shared/run-state.ts';
import type { ForkPoint } from './fork-point.ts';
import { findLeftBehind } from './left-behind.ts';

export interface ForkBasis {
  /** The original as it stands now. */
  readonly original: RunState;
  readonly point: ForkPoint;
  /** What the agent had been told and said by then. */
  readonly context: readonly ContextItem[];
  readonly place: ForkPlace;
  readonly changed: readonly ForkChange[];
  readonly files: readonly PutBackFile[];
  readonly untold: number;
  /** What the agent is told about all that; null where there is nothing to tell. */
  readonly note: BlobRef | null;
}

/** How many messages, and how many files, one event names. */
const partSize = 500;

/** Everything behind `run-start`, in order. */
export function toForkEvents(basis: ForkBasis): DriverEventBody[] {
  const agent = agentOf(basis.point.state, { agentId: rootAgentId });
  const context = basis.context.slice(beginning);
  const seen = toSeen(agent, basis);
  const parts = Math.max(Math.ceil(context.length / partSize), Math.ceil(seen.length / partSize));
  return [
    toFork(agent, basis),
    ...Array.from({ length: parts }, (_part, place): DriverEventBody => {
      const [from, to] = [place * partSize, (place + 1) * partSize];
      return { type: 'fork-context', items: context.slice(from, to), seen: seen.slice(from, to) };
    }),
    ...(basis.note === null ? [] : [{ type: 'observation', kind: 'fork', content: basis.note } as const]),
  ];
}

/** System text and prompt stand in `run-start`. */
const beginning = 2;

function toFork(agent: AgentState, { original, point, ...basis }: ForkBasis): DriverEventBody {
  const { place, changed, files, untold } = basis;
  const { settled, costUsd } = point.state.ledger;
  const hasOtherTask = changed.includes('goal') || changed.includes('contract');
  // What it claimed rested on what others were to do for it.
  const hasLeft = findLeftBehind(point.state).agents.length > 0;
  // Who takes a run over from elsewhere has labelled all of it, also what came before.
  const { label } = point.isElsewhere ? agentOf(original, { agentId: rootAgentId }) : agent;
  return {
    type: 'run-fork',
    from: original.runId,
    fromStep: point.step,
    fromSeq: point.seq,
    place,
    changed: [...changed],
    spent: { usage: settled, costUsd },
    phase: hasOtherTask || hasLeft ? 'ready' : toPhase(agent),
    claims: hasOtherTask ? 0 : agent.claims,
    compactedBefore: agent.compactedBefore,
    ...(agent.leftOut.turns === 0 ? {} : { leftOut: agent.leftOut.before }),
    // Another model counts in another way.
    counted: changed.includes('model') ? null : agent.counted,
    label,
    files: [...files],
    untold,
  };
}

function toPhase({ phase }: AgentState): 'ready' | 'claiming' | 'cut-off' {
  return phase.kind === 'claiming' || phase.kind === 'cut-off' ? phase.kind : 'ready';
}

/** What may be another file now, the agent does not know: it has to read it before it can change it. */
function toSeen(agent: AgentState, { place, files }: ForkBasis): SeenFile[] {
  if (place === 'here') return [];
  const other = new Set(files.filter(isNotAsThen).map(({ path }) => path));
  return Object.entries(agent.files).flatMap(([path, hash]) => (other.has(path) ? [] : [{ path, hash }]));
}

/** Whether the path could not be brought back to what it was. */
export const isNotAsThen = ({ fate }: PutBackFile): boolean =>
  fate !== 'restored' && fate !== 'removed' && fate !== 'already';
