// Where a request goes, by its first line and its Host header, which must say the same: a server that believes the one must
// not be reached by what was judged by the other.

/** The parts of a request that decide. */
export interface RequestHead {
  readonly url: string;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
}

export type RequestTarget =
  /** `text`: `host:port` as it was written. `path`: what the server is asked for, byte by byte as it was written. */
  | { readonly kind: 'target'; readonly text: string; readonly path: string }
  | { readonly kind: 'malformed'; readonly reason: string };

/** `tunnel`: the `host:port` that a tunnel was opened to, for a request in it; null for one to the proxy itself. */
export function parseRequestTarget({ url, rawHeaders }: RequestHead, tunnel: string | null): RequestTarget {
  const [, authority, path = ''] = (tunnel === null ? absoluteForm : originForm).exec(url) ?? [];
  if (authority === undefined) return malformed(tunnel === null ? noAbsoluteForm : noOriginForm);
  const text = tunnel ?? withPort(authority);
  if (text.length > maxTargetLength) return malformed(tooLong);
  const hosts = findHeaders(rawHeaders, 'host');
  const [host] = hosts;
  if (hosts.length !== 1 || host === undefined) return malformed('it must have one Host header');
  if (!isSameAuthority(text, host, 80)) return malformed('its Host header names another host than the request');
  return { kind: 'target', text, path: path.startsWith('/') ? path : `/${path}` };
}

/** A tunnel is opened to just what its first line says; a Host header beside it is only ever the same. */
export function parseTunnelTarget({ url, rawHeaders }: RequestHead): RequestTarget {
  const [, port] = /^[\x21-\x7e]+:(\d{1,5})$/.exec(url) ?? [];
  if (port === undefined) return malformed('a tunnel is opened to a host with a port');
  if (url.length > maxTargetLength) return malformed(tooLong);
  const others = ['content-length', 'transfer-encoding'].flatMap((name) => findHeaders(rawHeaders, name));
  if (others.length > 0) return malformed('a request for a tunnel has no content');
  const isElsewhere = findHeaders(rawHeaders, 'host').some((host) => !isSameAuthority(url, host, Number(port)));
  return isElsewhere
    ? malformed('its Host header names another host than the request')
    : { kind: 'target', text: url, path: '' };
}

/** All values of a header, in their order. */
export function findHeaders(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

/** No name has more than 253 characters. */
const maxTargetLength = 300;
const tooLong = 'its host is longer than any name';

const absoluteForm = /^http:\/\/([^/?#\s]+)([/?][\x21-\x22\x24-\x7e]*)?$/i;
const originForm = /^()(\/[\x21-\x22\x24-\x7e]*)$/;

const noAbsoluteForm = 'a request to a proxy names a whole URL of http; everything else goes through a tunnel';
const noOriginForm = 'a request in a tunnel names a path';

function malformed(reason: string): RequestTarget {
  return { kind: 'malformed', reason };
}

const withPort = (authority: string): string => (/:\d*$/.test(authority) ? authority : `${authority}:80`);

function isSameAuthority(one: string, other: string, usualPort: number): boolean {
  const normal = toAuthority(one, usualPort);
  return normal !== null && normal === toAuthority(other, usualPort);
}

function toAuthority(text: string, usualPort: number): string | null {
  const [, host = '', port = String(usualPort)] = /^(.+?)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (/[\s/?#@\\%]|:$/.test(host)) return null;
  const url = URL.parse(`http://${host}`);
  return url === null || url.port !== '' ? null : `${url.hostname.replace(/\.$/, '')}:${Number(port)}`;
}
