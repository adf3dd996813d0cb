/// <reference path="./undici-agent.d.ts" />
// The one place outbound connections come from. It owns their sockets and closes them all. Proxies are those of the
// user's environment and nothing else; loopback is never proxied; redirects are not followed. The HTTP client is loaded
// with the first request, so that commands which open no connection do not pay for it.
import type { Dispatcher } from 'undici';
import { EngineError } from '../../shared/engine-error.ts';
import { findProxies } from './find-proxies.ts';
import { isLoopback } from './is-loopback.ts';

export type DispatchOptions = Dispatcher.DispatchOptions & { readonly origin: string };

export interface OutboundDispatcher {
  /** Begins to load the HTTP client, so that the first request need not wait for it. Opens nothing. */
  prepare(): void;
  /** Hands a request to a pooled connection; everything after that is told to `handler`. */
  dispatch(options: DispatchOptions, handler: Dispatcher.DispatchHandler): Promise<void>;
  /** Destroys every socket, also those of open requests. */
  close(): Promise<void>;
}

export interface DispatcherOptions {
  /** Where the proxy settings are looked up. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly connectTimeoutMs?: number;
}

/** Creates a dispatcher; nothing is loaded or opened before its first request. */
export function createDispatcher({ environment, connectTimeoutMs = 15_000 }: DispatcherOptions): OutboundDispatcher {
  const settings = {
    // HTTP/1.1 only: one request has one socket, and aborting the request closes it.
    allowH2: false,
    connect: { timeout: connectTimeoutMs },
    // Silence is judged by whoever reads the reply: it knows content from keep-alive bytes.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const proxies = findProxies(environment);
  const direct = once(async () => new (await import('undici/lib/dispatcher/agent.js')).default(settings));
  // The proxy agent works only with the whole of undici loaded.
  const proxied = once(async () => new (await import('undici')).EnvHttpProxyAgent({ ...settings, ...proxies }));
  let closed = false;
  return {
    prepare() {
      (proxies === null ? direct : proxied).get().catch(() => undefined); // The first request hears of it.
    },
    async dispatch(options, handler) {
      const agent = await (proxies === null || isLoopback(new URL(options.origin)) ? direct : proxied).get();
      if (closed) throw new EngineError('closed', 'The network was closed.', { remedy: 'Create a new engine.' });
      agent.dispatch(options, handler);
    },
    async close() {
      closed = true;
      // An agent that could not be made, as with an unusable proxy address, was told to whoever asked for it.
      const made = await Promise.all([direct, proxied].map((agent) => agent.made()?.catch(() => undefined)));
      await Promise.all(made.map((agent) => agent?.destroy()));
    },
  };
}

function once<Made>(make: () => Promise<Made>) {
  let made: Promise<Made> | undefined;
  return {
    get: () => {
      made ??= make();
      return made;
    },
    made: () => made,
  };
}
