// Upper bounds for a request that has not been sent. They must hold whatever tokenizer the provider uses: a ceiling that
// can be passed by a surprise is none.
import { countLeftOut } from '../../shared/left-out.ts';
import type { AgentState, RunSettings } from '../../shared/run-state.ts';

/** Tokens that wrap one message on the wire: role, separators, ids of calls. */
const tokensPerItem = 16;

/**
 * The most input tokens that the agent's next request can be counted as. A token covers at least one byte of UTF-8, so new
 * text is bounded by its size; what was sent before is known from the provider's own count. The tool descriptions are plain
 * English and JSON of ours, of which a token covers at least two bytes.
 */
export function boundInputTokens(agent: AgentState, settings: RunSettings): number {
  const whole = Math.ceil(settings.toolBytes / 2) + agent.contextBytes + countShown(agent) * tokensPerItem;
  if (agent.counted === null) return whole;
  const { tokens, bytesSince, itemsSince } = agent.counted;
  return Math.min(whole, tokens + bytesSince + itemsSince * tokensPerItem);
}

/** What is left out has one line in its place. */
const countShown = ({ context, leftOut }: AgentState): number =>
  context.length - countLeftOut(leftOut) + (leftOut.turns === 0 ? 0 : 1);

/**
 * About how many tokens the next request will be, for deciding whether it still fits the context window. Not a bound: text
 * and code run at three to four bytes a token.
 */
export function estimateInputTokens(agent: AgentState, settings: RunSettings): number {
  if (agent.counted === null) return Math.ceil((agent.contextBytes + settings.toolBytes) / 3.5);
  return agent.counted.tokens + Math.ceil(agent.counted.bytesSince / 3);
}
