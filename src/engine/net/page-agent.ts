/// <reference path="./undici-agent.d.ts" />
// The connection of one page, direct or through the proxy of the user's environment. It is used for nothing else: one that
// was judged for one page must not be taken again for another.
import type { LookupFunction } from 'node:net';
import type { OutboundDispatcher } from './dispatcher.ts';
import { findProxies } from './find-proxies.ts';
import { isLoopback } from './is-loopback.ts';
import { toPeer } from './to-peer.ts';

export interface PageAgent extends Pick<OutboundDispatcher, 'dispatch'>, AsyncDisposable {
  /** What it has connected to, as `ip:port`; null where that has not come about, or is left to a proxy. */
  readonly address: string | null;
}

export interface PageAgentOptions {
  readonly url: URL;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Resolves every name that is connected to; a proxy resolves for itself, and is reached without it. */
  readonly lookup: LookupFunction;
  readonly connectTimeoutMs: number;
  readonly maxHeaderBytes: number;
}

/** Nothing is loaded or opened before the request. */
export function createPageAgent({
  url,
  environment,
  lookup,
  connectTimeoutMs,
  ...limits
}: PageAgentOptions): PageAgent {
  let address: string | null = null;
  const settings = {
    allowH2: false,
    maxHeaderSize: limits.maxHeaderBytes,
    // One limit holds for all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const opened = new AsyncDisposableStack();
  return {
    get address() {
      return address;
    },
    async dispatch(options, handler) {
      const proxies = isLoopback(url) ? null : findProxies(environment);
      const { default: createConnector } = await import('undici/lib/core/connect.js');
      const open = createConnector({ allowH2: false, lookup, timeout: connectTimeoutMs });
      // A connection to a proxy is not made by it.
      const connect: typeof open = (target, answer) =>
        open(target, (...end) => {
          const [error, socket] = end;
          if (error === null) address = toPeer(socket);
          answer(...end);
        });
      const agent =
        proxies === null
          ? new (await import('undici/lib/dispatcher/agent.js')).default({ ...settings, connect })
          : new (await import('undici')).EnvHttpProxyAgent({ ...settings, ...proxies, connect });
      if (opened.disposed) return;
      opened.defer(() => agent.destroy());
      agent.dispatch(options, handler);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
