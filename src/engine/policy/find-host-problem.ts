// Refuses a pattern for hosts that no act can have as its target: targets are judged in the one form that each address has,
// so a rule that is written in another would stand there and stop nothing.

/** Why the pattern cannot stand in a rule for net acts, and what to write instead; null where it can. */
export function findHostProblem(pattern: string): string | null {
  const [, host, port = '*'] = hostAndPort.exec(pattern.toLowerCase()) ?? [];
  if (host === undefined || (!/[*?]/.test(port) && Number(port) > 65_535)) return hostForm;
  if (host.endsWith('.')) return 'ends its host with a dot: write it without';
  return /[*?]/.test(host) || isInNormalForm(host) ? null : addressForm;
}

const hostAndPort = /^(\[[0-9a-f:.*?]+\]|[a-z0-9._*?-]+)(?::([0-9*?]{1,5}))?$/;

const hostForm =
  'is not `host` or `host:port`: write the host alone, in its `xn--` form where it has one, an IPv6 address in brackets, and wildcards as `*` and `?`';

const addressForm =
  'is an address in a form that is never judged: write an IPv4 address as `127.0.0.1`, also where it is mapped into IPv6, and an IPv6 address as short as it can be, as `[::1]`';

function isInNormalForm(host: string): boolean {
  if (host.startsWith('[')) return host === `[${toShortestIpv6(host.slice(1, -1))}]`;
  return !/(^|\.)(\d+|0x[0-9a-f]*)$/.test(host) || isIpv4(host);
}

function isIpv4(host: string): boolean {
  const numbers = host.split('.');
  return numbers.length === 4 && numbers.every((number) => /^(0|[1-9]\d{0,2})$/.test(number) && Number(number) < 256);
}

/** Null for what is no address, or an IPv4 one in disguise. */
function toShortestIpv6(address: string): string | null {
  const [head = '', tail = null, ...more] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const left = head === '' ? [] : head;
  const missing = 8 - left.length - (tail?.length ?? 0);
  if (more.length > 0 || (tail === null ? missing !== 0 : missing < 1)) return null;
  const groups = [...left, ...Array<string>(missing).fill('0'), ...(tail ?? [])];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return null;
  const text = groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
  return text.startsWith('0:0:0:0:0:ffff:') ? null : shorten(text);
}

/** The longest run of zeros, the first of those, becomes `::`; a single zero stays. */
function shorten(text: string): string {
  const [longest] = [...text.matchAll(/(?<![^:])0(?::0)+(?![^:])/g)].toSorted(
    (one, other) => other[0].length - one[0].length,
  );
  if (longest === undefined) return text;
  const [before, after] = [text.slice(0, longest.index), text.slice(longest.index + longest[0].length)];
  return `${before.replace(/:$/, '')}::${after.replace(/^:/, '')}`;
}
