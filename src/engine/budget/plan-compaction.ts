// When the context would no longer fit the model's window, the oldest results give way to one-line pointers, down to half
// the window in one go: between two compactions every request begins with the same bytes, which is what caches live on. Once
// there is nothing more to give way, the oldest turns are left out altogether.
import { givesWay, pointerBytes } from '../../shared/context-item.ts';
import { leaveOut, measureContext, measureItem } from '../../shared/fold-context.ts';
import { headItems, toLeftOutNote } from '../../shared/left-out.ts';
import type { AgentState, RunSettings } from '../../shared/run-state.ts';
import { estimateInputTokens } from './bound-request.ts';

export interface Compaction {
  /** Results before this position of the context become pointers. */
  readonly before: number;
  readonly replaced: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Turns before this position are left out; absent: none but those that are. */
  readonly leftOut?: number;
}

/** The compaction that is due before the agent's next request, or null when it fits or nothing can give way. */
export function planCompaction(agent: AgentState, settings: RunSettings): Compaction | null {
  const roomForReply = Math.min(settings.maxOutputTokens, Math.floor(settings.contextTokens / 4));
  if (estimateInputTokens(agent, settings) <= settings.contextTokens - roomForReply) return null;
  return shrinkTo(agent, settings, Math.floor(settings.contextTokens / 2));
}

/** To about so many tokens, by the mildest means that does enough. Null where nothing does anything. */
export function shrinkTo(agent: AgentState, settings: RunSettings, targetTokens: number): Compaction | null {
  const compaction = compactTo(agent, settings, targetTokens);
  if (compaction !== null && compaction.tokensAfter <= enough * targetTokens) return compaction;
  const compactedBefore = compaction?.before ?? agent.compactedBefore;
  const compacted = { ...agent, compactedBefore, contextBytes: measureContext({ ...agent, compactedBefore }) };
  const left = leaveOutTo(compacted, settings, targetTokens);
  if (left === null) return compaction;
  return { ...left, replaced: compaction?.replaced ?? 0, tokensBefore: estimateInputTokens(agent, settings) };
}

/** Where pointers alone come so close, no turn is left out for the rest. */
const enough = 1.5;

/** Leaves whole turns out, so that every call that is shown has its result. The last one stays: the model has not seen its results. */
function leaveOutTo(agent: AgentState, settings: RunSettings, targetTokens: number): Compaction | null {
  const { context, compactedBefore, leftOut } = agent;
  const tokensBefore = estimateInputTokens(agent, settings);
  const end = context.findLastIndex((item) => item.role === 'assistant');
  let bytes = agent.contextBytes + (leftOut.turns === 0 ? noteBytes : 0);
  let before = 0;
  for (let place = Math.max(headItems, leftOut.before); place <= end; place++) {
    const item = context[place];
    if (item === undefined) break;
    if (item.role === 'assistant') before = place;
    if (place === end || (item.role === 'assistant' && toTokens(bytes, settings) <= targetTokens)) break;
    bytes -= measureItem(item, place < compactedBefore);
  }
  if (leaveOut(context, before).turns <= leftOut.turns) return null;
  const tokensAfter = toTokens(bytes, settings);
  return { before: Math.max(compactedBefore, before), replaced: 0, tokensBefore, tokensAfter, leftOut: before };
}

/** At most. */
const noteBytes = toLeftOutNote({ before: 0, turns: 10_000_000 }).length;

const toTokens = (bytes: number, { toolBytes }: RunSettings): number => Math.ceil((bytes + toolBytes) / 3.5);

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
