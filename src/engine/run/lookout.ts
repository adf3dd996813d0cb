// What cuts work short while it goes on: the process ending, the time budget, a person who cancels, from whichever process,
// or another driver that has taken the run over. One look serves all agents, however many are at work.
import { cancelledBy, isWithin } from '../../shared/agent-tree.ts';
import type { JournalEvent } from '../../shared/event.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import { type AgentId, rootAgentId } from '../../shared/id.ts';
import type { JournalReader } from '../journal/journal.ts';
import type { Recorder } from './recorder.ts';

export interface LookoutOptions {
  readonly interrupt: AbortSignal;
  readonly reader: JournalReader;
  readonly recorder: Recorder;
  /** Somebody else has appended to the journal, or the process is to end. */
  readonly onNews: () => void;
}

export interface Lookout extends Disposable {
  /** For one piece of work of one agent; disposing of it ends its timer. `leftMs` null: no limit. */
  open(agentId: AgentId, leftMs: number | null): Disposable & { readonly signal: AbortSignal };
  /** Cuts off for good what the agent and all that work for it are doing. */
  cutOff(agentId: AgentId, reason: string): void;
  /** Whether that has happened, or the process is to end. */
  isCutOff(agentId: AgentId): boolean;
}

/** How soon it is noticed what another process has done. */
const lookEveryMs = 250;
const batchSize = 100;

/** Opens it; disposing of it stops its timers. */
export function openLookout({ interrupt, reader, recorder, onNews }: LookoutOptions): Lookout {
  const { runId } = recorder.state;
  const open = new Map<AbortController, AgentId>();
  let seenSeq = recorder.durableSeq;
  const ended = new Set<string>();
  const abort = (agentId: AgentId, reason: unknown): void => {
    for (const [controller, at] of open) if (isWithin(at, agentId)) controller.abort(reason);
  };
  const stop = (): void => {
    abort(rootAgentId, interrupt.reason);
    onNews();
  };
  if (interrupt.aborted) stop();
  interrupt.addEventListener('abort', stop, { once: true });

  /** A journal that cannot be read here fails the driver's own next use of it, where the failure has an answer. */
  const readNews = (): JournalEvent[] => {
    try {
      seenSeq = Math.max(seenSeq, recorder.durableSeq);
      if (reader.readHead(runId) <= seenSeq) return [];
      const events = reader.readEvents(runId, seenSeq, batchSize);
      seenSeq = events.at(-1)?.seq ?? seenSeq;
      return events;
    } catch {
      return [];
    }
  };
  const isBehind = (): boolean => {
    try {
      return reader.readHead(runId) > recorder.durableSeq;
    } catch {
      return false;
    }
  };
  /** What a commit of one agent has folded in is no news any more, and cuts off the others all the same. */
  const abortCancelled = (): void => {
    const { state } = recorder;
    for (const [controller, agentId] of open) {
      if (cancelledBy(state, agentOf(state, { agentId })) !== null) controller.abort('run-cancel');
    }
  };
  const look = (): void => {
    for (const event of readNews()) {
      if (event.type === 'run-cancel') abort(event.agent ?? rootAgentId, 'run-cancel');
    }
    abortCancelled();
    if (!isAssumed(recorder.isHeld)) abort(rootAgentId, 'lease-lost');
    // Told until it is folded: while a transaction of ours is on its way, it cannot be.
    if (isBehind()) onNews();
  };
  const timer = setInterval(look, lookEveryMs);

  return {
    cutOff(agentId, reason) {
      ended.add(agentId);
      abort(agentId, reason);
    },
    isCutOff: (agentId) => interrupt.aborted || listAbove(agentId).some((above) => ended.has(above)),
    open(agentId, leftMs) {
      const controller = new AbortController();
      open.set(controller, agentId);
      if (interrupt.aborted) controller.abort(interrupt.reason);
      const end = leftMs === null ? null : setTimeout(() => controller.abort('wallMs'), toTimerMs(leftMs));
      return {
        signal: controller.signal,
        [Symbol.dispose]() {
          open.delete(controller);
          if (end !== null) clearTimeout(end);
        },
      };
    },
    [Symbol.dispose]() {
      interrupt.removeEventListener('abort', stop);
      clearInterval(timer);
    },
  };
}

/** The agent and everybody it works for, by what their names are made of. */
function listAbove(agentId: AgentId): string[] {
  const parts = agentId.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Timers may be early by part of a millisecond: after one that was, the time would not look spent. */
const toTimerMs = (leftMs: number): number => Math.min(leftMs + 1, 2 ** 31 - 1);

function isAssumed(isHeld: () => boolean): boolean {
  try {
    return isHeld();
  } catch {
    return true;
  }
}
