// What is being said right now. Nothing here is journaled; one open reply per agent is held, up to a bound, so that
// whoever joins late sees it from its beginning. The engine's own secrets are masked before anyone sees them.
import type { AgentId, RunId } from '../../shared/id.ts';
import type { LiveUpdate } from '../../shared/live-update.ts';
import { createStreamMask } from './mask-stream.ts';

export type LiveListener = (update: LiveUpdate) => void;

export interface LiveFeed {
  publish(update: LiveUpdate): void;
  /** Forgets the agent's open reply: the journal has it now, or it failed. */
  end(agentId: AgentId): void;
  /**
   * Calls `listener` with the open replies so far and then with every update, until the returned function is called or
   * the listener throws.
   */
  subscribe(listener: LiveListener): () => void;
}

export interface LiveFeedOptions {
  readonly runId: RunId;
  readonly knownSecrets: readonly string[];
}

/** An open reply longer than this is shown to late listeners by its end only. */
const heldCharacters = 256 * 1024;

type Said = Extract<LiveUpdate, { type: 'text-delta' | 'reasoning-delta' }>;

export function createLiveFeed({ runId, knownSecrets }: LiveFeedOptions): LiveFeed {
  const listeners = new Set<LiveListener>();
  const open = new Map<AgentId, ReturnType<typeof openReply>>();
  const tell = (update: LiveUpdate): void => {
    for (const listener of listeners) {
      try {
        listener(update);
      } catch {
        listeners.delete(listener); // A fault of the host's must not cost the run a reply that is paid for.
      }
    }
  };
  const say = (said: Said, reply: ReturnType<typeof openReply>): void => {
    if (said.text === '') return;
    if (said.type === 'text-delta') reply.text = (reply.text + said.text).slice(-heldCharacters);
    tell(said);
  };

  return {
    publish(update) {
      if (update.type === 'call-delta') return tell(update);
      const reply = open.get(update.agentId) ?? openReply(update.step, knownSecrets);
      open.set(update.agentId, reply);
      say({ ...update, text: reply.masks[update.type].push(update.text) }, reply);
    },
    end(agentId) {
      const reply = open.get(agentId);
      if (reply === undefined) return;
      const { step, masks } = reply;
      for (const type of ['reasoning-delta', 'text-delta'] as const) {
        say({ type, runId, agentId, step, text: masks[type].end() }, reply);
      }
      open.delete(agentId);
    },
    subscribe(listener) {
      for (const [agentId, { step, text }] of open) {
        if (text !== '') listener({ type: 'text-delta', runId, agentId, step, text });
      }
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const openReply = (step: number, secrets: readonly string[]) => ({
  step,
  text: '',
  masks: { 'text-delta': createStreamMask(secrets), 'reasoning-delta': createStreamMask(secrets) },
});
