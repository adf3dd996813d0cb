// One request and its reply over one connection. Three things end it early: the caller, silence, and a reader that has
// seen enough. Silence is time without content: bytes that only keep the connection open do not count. A reply that is
// whole is kept whatever ended the exchange, because it is paid for.
import { Buffer } from 'node:buffer';
import type { OutboundDispatcher } from '../../net/dispatcher.ts';
import { type ExchangeEnd, openExchange, type ResponseHeaders } from '../../net/open-exchange.ts';
import type { ModelDelta, ModelResult, ProviderFailure } from '../model-provider.ts';
import type { BodyReader } from './body-reader.ts';
import { classifyBroken } from './classify-broken.ts';
import { describeFailure, type Endpoint } from './describe-failure.ts';
import { createEventStreamReader } from './event-stream-reader.ts';
import { createJsonReader } from './json-reader.ts';
import { createRefusalReader } from './refusal-reader.ts';

export interface ChatCall {
  readonly endpoint: Endpoint;
  readonly dispatcher: OutboundDispatcher;
  readonly body: readonly Uint8Array[];
  /** Starts the ids of calls that the server gave none. */
  readonly idPrefix: string;
  readonly idleTimeoutMs: number;
  readonly onDelta: (delta: ModelDelta) => void;
}

type Stop = 'caller' | 'silence' | 'enough';

/** How long the body may take to end after a whole reply. A quick end leaves the connection to the next request. */
const drainMs = 200;

/** How long the words of a refusal may take; its status says enough. */
const refusalMs = 5_000;

/** Sends the request and reads the reply. What a network or a server can do comes back as a failure. */
export async function completeChat(call: ChatCall, signal: AbortSignal): Promise<ModelResult> {
  const startedMs = performance.now();
  let firstEventMs: number | undefined;
  let reader: BodyReader | undefined;
  let stopped: Stop | undefined;
  const stop = (why: Stop) => {
    stopped ??= why;
    exchange.abort(new Error(`Stopped by ${why}`));
  };
  const exchange = openExchange(call.dispatcher, toOutboundRequest(call), {
    onStart: (status, headers) => {
      reader = openReader(call, status, headers);
      if (status >= 300) timer = restart(timer, () => stop('enough'), refusalMs);
    },
    onData: (bytes) => {
      const progress = reader?.read(bytes);
      if (progress === 'stop') stop('enough');
      if (progress !== 'content' && progress !== 'whole') return;
      firstEventMs ??= performance.now() - startedMs;
      if (progress === 'content') timer.refresh();
      else timer = restart(timer, () => stop('enough'), drainMs);
    },
  });
  let timer = setTimeout(() => stop('silence'), call.idleTimeoutMs);
  const onAbort = () => stop('caller');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();

  const end = await exchange.ended;
  clearTimeout(timer);
  signal.removeEventListener('abort', onAbort);
  const result = reader?.finish(stopped === 'enough' ? null : end.error);
  const durationMs = performance.now() - startedMs;
  if (result?.kind === 'reply') {
    return { kind: 'reply', reply: { ...result.reply, firstEventMs: firstEventMs ?? durationMs, durationMs } };
  }
  return { kind: 'failure', failure: toFailure(call, { ...end, stopped, answer: result?.failure ?? null }) };
}

interface FailedEnd extends ExchangeEnd {
  readonly stopped: Stop | undefined;
  /** What the body, as far as it was read, says of the failure; null when no answer had begun. */
  readonly answer: ProviderFailure | null;
}

function toFailure(
  { endpoint, idleTimeoutMs }: ChatCall,
  { error, sent, stopped, answer }: FailedEnd,
): ProviderFailure {
  const charge = answer?.charge ?? (sent ? 'unknown' : 'none');
  if (stopped === 'caller') {
    return describeFailure(endpoint, { class: 'aborted', what: 'was left before its reply was whole', charge });
  }
  if (stopped === 'silence') {
    const where = answer === null ? 'did not answer' : 'fell silent in the middle of its reply';
    return describeFailure(endpoint, { class: 'timeout', what: `${where} for ${idleTimeoutMs / 1000} s`, charge });
  }
  return answer ?? describeFailure(endpoint, classifyBroken(error ?? new Error('No response'), sent));
}

/** What the server says its answer is decides how it is read; an answer that says nothing is tried as a stream. */
function openReader(call: ChatCall, status: number, headers: ResponseHeaders): BodyReader {
  if (status >= 300) return createRefusalReader(call.endpoint, status, headers);
  return /[/+]json/i.test(String(headers['content-type'])) ? createJsonReader(call) : createEventStreamReader(call);
}

function toOutboundRequest({ endpoint, body }: ChatCall) {
  return {
    url: endpoint.url,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'accept-encoding': 'identity',
      'user-agent': 'io-studio-engine',
      ...(endpoint.key === null ? {} : { authorization: `Bearer ${endpoint.key}` }),
    },
    body: Buffer.concat(body),
  };
}

function restart(timer: NodeJS.Timeout, action: () => void, delayMs: number): NodeJS.Timeout {
  clearTimeout(timer);
  return setTimeout(action, delayMs);
}
