// URLs of the web as they are dialled: http or https, without a name and password that would be sent along.

/** Null for anything else. `base` is where a relative one is seen from; a dot at the end of the host is left out. */
export function parseWebUrl(text: string, base?: URL): URL | null {
  const url = URL.parse(text, base?.href);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  url.hostname = url.hostname.replace(/\.$/, '');
  url.hash = '';
  return url;
}

/** `host:port`, as it is judged. */
export function toHostAndPort({ protocol, hostname, port }: URL): string {
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`;
}
