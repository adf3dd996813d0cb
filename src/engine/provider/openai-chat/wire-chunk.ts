// The parts of a chat-completions answer that are read, streamed or whole. Servers differ and grow, so everything may be
// absent or null and whatever is unknown is passed over; only what cannot be understood at all is refused.
import { z } from 'zod';

const text = z.string().nullish().catch(null);
const place = z.int().nonnegative().nullish().catch(null);

const Part = z.looseObject({
  text: z.string().nullish(),
  thinking: z.array(z.looseObject({ text })).nullish().catch(null),
});

/** Text comes as a string or as a list of parts, in which some servers think aloud. */
const Content = z
  .union([z.string().transform((whole) => [{ text: whole, thinking: null }]), z.array(Part)])
  .nullish()
  .transform((parts) => ({
    text: (parts ?? []).map((part) => part.text ?? '').join(''),
    thinking: (parts ?? [])
      .flatMap((part) => part.thinking ?? [])
      .map((thought) => thought.text ?? '')
      .join(''),
  }));

/** Some servers send the parsed value instead of its text. */
const Arguments = z
  .unknown()
  .optional()
  .transform((value) => {
    if (value === undefined || value === null) return '';
    return typeof value === 'string' ? value : JSON.stringify(value);
  });

const CallFragment = z.object({
  index: place,
  id: text,
  function: z.object({ name: text, arguments: Arguments }).nullish(),
});
export type CallFragment = z.infer<typeof CallFragment>;

const Message = z.object({
  content: Content,
  refusal: text,
  reasoning: text,
  reasoning_content: text,
  tool_calls: z.array(CallFragment).nullish(),
});

const Choice = z.object({
  index: place,
  delta: Message.nullish(),
  message: Message.nullish(),
  finish_reason: text,
});

export const WireUsage = z.object({
  prompt_tokens: place,
  completion_tokens: place,
  total_tokens: place,
  prompt_tokens_details: z.object({ cached_tokens: place }).nullish().catch(null),
  prompt_cache_hit_tokens: place,
});
export type WireUsage = z.infer<typeof WireUsage>;

/** One event of a stream, or the whole answer to a request that was not streamed. */
export const WireChunk = z.object({
  choices: z.array(Choice).nullish(),
  usage: WireUsage.nullish().catch(null),
  error: z.unknown().optional(),
});
export type WireChunk = z.infer<typeof WireChunk>;
