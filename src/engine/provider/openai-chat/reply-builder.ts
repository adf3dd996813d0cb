// Folds the chunks of one answer into one reply. Only the first choice is read. A reply is whole once the server named a
// finish reason or said it was done; before that it is cut off, however well it reads.
import type { Usage } from '../../../shared/usage.ts';
import type { ModelDelta, ModelReply } from '../model-provider.ts';
import type { ReadReply } from './body-reader.ts';
import { createCallGatherer } from './call-gatherer.ts';
import { toUsage } from './to-usage.ts';
import type { WireChunk } from './wire-chunk.ts';

type Choice = NonNullable<WireChunk['choices']>[number];

export interface ReplyBuilder {
  /** Takes a chunk in; true when it brought something new. */
  add(chunk: WireChunk): boolean;
  /** The reply, or null when it is not whole. `isDone`: the server said that nothing follows. */
  finish(isDone: boolean): ReadReply | null;
}

/** Creates a builder. `idPrefix` starts the ids of calls that came without one. */
export function createReplyBuilder(idPrefix: string, onDelta: (delta: ModelDelta) => void): ReplyBuilder {
  const texts: string[] = [];
  const gatherer = createCallGatherer();
  let usage: Usage | null = null;
  let finishReason: string | null = null;

  function addMessage(message: NonNullable<Choice['delta']>): boolean {
    const reasoning = message.reasoning || message.reasoning_content || message.content.thinking;
    if (reasoning !== '') onDelta({ kind: 'reasoning', text: reasoning });
    const text = message.content.text + (message.refusal ?? '');
    if (text !== '') {
      texts.push(text);
      onDelta({ kind: 'text', text });
    }
    let anyCall = false;
    for (const fragment of message.tool_calls ?? []) {
      const call = gatherer.add(fragment);
      if (call === null) continue;
      anyCall = true;
      onDelta({ kind: 'call', call: call.position, tool: call.tool, characters: call.characters });
    }
    return text !== '' || reasoning !== '' || anyCall;
  }

  return {
    add(chunk) {
      const choice = chunk.choices?.find((candidate) => (candidate.index ?? 0) === 0);
      const reported = chunk.usage ? toUsage(chunk.usage) : null;
      usage = reported ?? usage;
      const message = choice?.delta ?? choice?.message;
      const anyContent = message ? addMessage(message) : false;
      finishReason = choice?.finish_reason || finishReason;
      return anyContent || reported !== null || Boolean(choice?.finish_reason);
    },
    finish(isDone) {
      if (!isDone && finishReason === null) return null;
      const message = { text: texts.join(''), calls: gatherer.finish(idPrefix) };
      return { message, finish: toFinish(finishReason, message.calls.length > 0), usage };
    },
  };
}

/**
 * Servers have many words for it, and say `stop` beside calls or `tool_calls` without any: unless the reply was cut short,
 * what is there decides.
 */
function toFinish(reason: string | null, anyCalls: boolean): ModelReply['finish'] {
  if (/length|max_tokens/i.test(reason ?? '')) return 'length';
  if (/filter|safety/i.test(reason ?? '')) return 'filter';
  return anyCalls ? 'calls' : 'stop';
}
