// How programs are told where the proxy is. It is a convenience only: one that does not know of proxies finds no network.
import { forwarderPort } from './forwarder-source.ts';

type Environment = Readonly<Record<string, string>>;

export function withProxy(environment: Environment): Environment {
  const told = Object.entries(environment).filter(([name]) => !offline.has(name));
  return { ...Object.fromEntries(told), ...proxyVariables };
}

/** What toolchains are told where there is no network. */
const offline: ReadonlySet<string> = new Set(['CARGO_NET_OFFLINE', 'GOPROXY']);

const proxy = `http://127.0.0.1:${forwarderPort}`;
const names = ['http_proxy', 'https_proxy', 'all_proxy'];
/** Servers that a command starts for itself are reached as they are. */
const direct = 'localhost,127.0.0.1,::1';

const proxyVariables: Environment = {
  ...Object.fromEntries(names.flatMap((name) => [name, name.toUpperCase()]).map((name) => [name, proxy])),
  no_proxy: direct,
  NO_PROXY: direct,
  npm_config_proxy: proxy,
  npm_config_https_proxy: proxy,
  npm_config_noproxy: direct,
  CARGO_HTTP_PROXY: proxy,
  NODE_USE_ENV_PROXY: '1',
};
