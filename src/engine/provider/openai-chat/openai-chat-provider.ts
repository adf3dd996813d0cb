// The model port over the chat-completions wire: OpenRouter, OpenAI and every server that speaks the same. It keeps no
// history; closing it ends the requests that are open.
import type { ProviderChoice } from '../../../shared/event.ts';
import type { OutboundDispatcher } from '../../net/dispatcher.ts';
import type { ModelProvider, ModelRequest } from '../model-provider.ts';
import { completeChat } from './complete-chat.ts';
import { toWireRequest, type WireTarget } from './to-wire-request.ts';

export interface OpenAiChatOptions {
  readonly choice: ProviderChoice & { readonly baseUrl: string };
  /** Sent to the host of the base URL and nowhere else. */
  readonly key: string | null;
  /** Belongs to the caller, who closes it. */
  readonly dispatcher: OutboundDispatcher;
  /** Longest time without content, before the first of it too: models that think do so in silence. */
  readonly idleTimeoutMs?: number;
}

/** Creates the provider; nothing is opened before the first request. */
export function createOpenAiChatProvider(options: OpenAiChatOptions): ModelProvider {
  const { choice, key, dispatcher, idleTimeoutMs = 180_000 } = options;
  const endpoint = { choice, key, url: new URL(`${choice.baseUrl.replace(/\/+$/, '')}/chat/completions`) };
  const target: WireTarget = {
    model: choice.model,
    outputLimitField: endpoint.url.hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens',
  };
  const closing = new AbortController();
  return {
    choice,
    measure: (request) => toWireRequest(target, request).reduce((bytes, piece) => bytes + piece.byteLength, 0),
    complete(request: ModelRequest, onDelta, signal) {
      const body = toWireRequest(target, request);
      const idPrefix = `call-${request.messages.length}-`;
      const call = { endpoint, dispatcher, body, idPrefix, idleTimeoutMs, onDelta };
      return completeChat(call, AbortSignal.any([signal, closing.signal]));
    },
    async close() {
      closing.abort();
    },
  };
}
