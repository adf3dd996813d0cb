// The proxies that the user's environment names.

export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Upper and lower case are both in use; the lower-case name wins and the scheme may be left out, as in curl. Null: no proxy. */
export function findProxies(environment: Readonly<Record<string, string | undefined>>): Proxies | null {
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || '';
  const readUrl = (name: string) => read(name).replace(/^(?!.*:\/\/)(?=.)/, 'http://');
  const proxies = { httpProxy: readUrl('HTTP_PROXY'), httpsProxy: readUrl('HTTPS_PROXY'), noProxy: read('NO_PROXY') };
  return proxies.httpProxy === '' && proxies.httpsProxy === '' ? null : proxies;
}
