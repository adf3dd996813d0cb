// One HTTP request and its response, bytes pushed to the receiver as they come: nothing is buffered here. It settles exactly
// once, and it knows whether the request may have reached the server, because that decides whether it may have been billed.
import type { Dispatcher } from 'undici';
import type { OutboundDispatcher } from './dispatcher.ts';

export interface OutboundRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Posted; null: the request is a GET. */
  readonly body: Uint8Array | null;
}

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface ResponseReceiver {
  onStart(status: number, headers: ResponseHeaders): void;
  onData(bytes: Uint8Array): void;
}

/** How an exchange ended: `error` is null when the response was complete. */
export interface ExchangeEnd {
  readonly error: Error | null;
  /** False when not one byte of the request has left. */
  readonly sent: boolean;
}

export interface Exchange {
  readonly ended: Promise<ExchangeEnd>;
  /** Ends the exchange and closes its socket. The receiver hears nothing after it. */
  abort(reason: Error): void;
}

/** Sends `request`. Every ending, also an error thrown by the receiver, arrives through `ended`, which never rejects. */
export function openExchange(
  dispatcher: Pick<OutboundDispatcher, 'dispatch'>,
  request: OutboundRequest,
  to: ResponseReceiver,
): Exchange {
  const { promise, resolve } = Promise.withResolvers<ExchangeEnd>();
  let controller: Dispatcher.DispatchController | undefined;
  let over: Error | undefined;
  let sent = false;
  const finish = (error: Error | null) => resolve({ error, sent });
  const abort = (reason: Error) => {
    over ??= reason;
    controller?.abort(over);
    finish(over);
  };
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started;
      if (over === undefined) sent = true;
      else started.abort(over);
    },
    onResponseStart: (_, status, headers) => {
      if (over === undefined && status >= 200) to.onStart(status, headers);
    },
    onResponseData: (_, bytes) => {
      if (over === undefined) to.onData(bytes);
    },
    onResponseEnd: () => finish(null),
    onResponseError: (_, error) => finish(error),
  };
  dispatcher.dispatch(toDispatchOptions(request), handler).catch((error: unknown) => {
    finish(error instanceof Error ? error : new Error(String(error)));
  });
  return { ended: promise, abort };
}

function toDispatchOptions(request: OutboundRequest) {
  return {
    origin: request.url.origin,
    path: request.url.pathname + request.url.search,
    method: request.body === null ? 'GET' : 'POST',
    headers: { ...request.headers },
    body: request.body,
  } as const;
}
