// An IP address as its eight groups of sixteen bits. An IPv4 address stands in its last two, behind `::ffff`, so that both of
// its forms are one and the same.

/** `address` as a resolver gives it, or in brackets; null for what is none. What names an interface (`%eth0`) is left out. */
export function parseAddress(address: string): readonly number[] | null {
  const text = address.replace(/^\[(.*)\]$/, '$1').replace(/%[\w.-]+$/, '');
  return text.includes(':') ? parseIpv6(text) : parseMapped(text);
}

function parseMapped(text: string): number[] | null {
  const groups = parseIpv4(text);
  return groups === null ? null : [0, 0, 0, 0, 0, 0xffff, ...groups];
}

function parseIpv4(text: string): number[] | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return null;
  const [first = 0, second = 0, third = 0, fourth = 0] = parts.map(Number);
  return [first * 256 + second, third * 256 + fourth];
}

function parseIpv6(text: string): number[] | null {
  const [head = '', tail, ...more] = text.split('::');
  const left = parseGroups(head);
  const right = tail === undefined ? [] : parseGroups(tail);
  if (left === null || right === null || more.length > 0) return null;
  const missing = 8 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  return [...left, ...Array<number>(missing).fill(0), ...right];
}

/** The last of them may be an IPv4 address. */
function parseGroups(text: string): number[] | null {
  if (text === '') return [];
  const parts = text.split(':');
  const groups: number[] = [];
  for (const [index, part] of parts.entries()) {
    const embedded = index === parts.length - 1 ? parseIpv4(part) : null;
    if (embedded === null && !/^[\da-f]{1,4}$/i.test(part)) return null;
    groups.push(...(embedded ?? [Number.parseInt(part, 16)]));
  }
  return groups;
}
