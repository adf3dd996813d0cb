// When the context would no longer fit the model's window, the oldest results give way to one-line pointers, down to half
// the window in one go: between two compactions every request begins with the same bytes, which is what caches live on.
import { givesWay, pointerBytes } from '../../shared/context-item.ts';
import type { AgentState, RunSettings } from '../../shared/run-state.ts';
import { estimateInputTokens } from './bound-request.ts';

export interface Compaction {
  /** Results before this position of the context become pointers. */
  readonly before: number;
  readonly replaced: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** The compaction that is due before the agent's next request, or null when it fits or nothing can give way. */
export function planCompaction(agent: AgentState, settings: RunSettings): Compaction | null {
  const roomForReply = Math.min(settings.maxOutputTokens, Math.floor(settings.contextTokens / 4));
  if (estimateInputTokens(agent, settings) <= settings.contextTokens - roomForReply) return null;
  return compactTo(agent, settings, Math.floor(settings.contextTokens / 2));
}

/**
 * Replaces oldest results until about `targetTokens` are left, also by the size of what is left: nothing else is known of it
 * then. The last step's results stay: the model has not seen them.
 */
export function compactTo(agent: AgentState, settings: RunSettings, targetTokens: number): Compaction | null {
  const tokensBefore = estimateInputTokens(agent, settings);
  const end = agent.context.findLastIndex((item) => item.role === 'assistant');
  let tokensAfter = Math.max(tokensBefore, estimateInputTokens({ ...agent, counted: null }, settings));
  let before = agent.compactedBefore;
  let replaced = 0;
  for (let place = before; place < end && tokensAfter > targetTokens; place++) {
    const item = agent.context[place];
    before = place + 1;
    if (item?.role !== 'result' || !givesWay(item)) continue;
    tokensAfter -= Math.floor((item.blob.bytes - pointerBytes(item)) / 3.5);
    replaced += 1;
  }
  return replaced === 0 ? null : { before, replaced, tokensBefore, tokensAfter };
}
