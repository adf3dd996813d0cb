// A host and port in the one form that rules are matched with, so that no other spelling of an address slips past a rule.
import type { NetAct } from '../../shared/act.ts';
import type { Resolved } from './judge-resolved.ts';

/** Lower case, names in ASCII, every form of an IPv4 address as four numbers, IPv6 in brackets. Malformed text is refused. */
export function resolveNetTarget(text: string): Resolved<NetAct> {
  const [, host, port] = /^(\[[\da-f:.]+\]|[^\s\p{Cc}:/?#@%\\[\]]+):(\d{1,5})$/iu.exec(text) ?? [];
  const number = Number(port);
  if (host === undefined || number < 1 || number > 65_535) return refuse(text, 'it is no host with a port');
  const normal = toNormalHost(host);
  if (normal === null) return refuse(text, 'its host cannot be read');
  return { act: { kind: 'net', target: `${normal}:${number}`, address: null }, refusal: null };
}

function toNormalHost(host: string): string | null {
  const url = URL.parse(`http://${host}`);
  if (url === null) return null;
  const name = toMappedAddress(url.hostname) ?? url.hostname.replace(/\.$/, '');
  return name === '' || name.startsWith('.') || name.endsWith('.') ? null : name;
}

/** `::ffff:7f00:1` reaches the same as `127.0.0.1`. */
function toMappedAddress(hostname: string): string | null {
  const [, high, low] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return null;
  const bytes = [high, low].flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]);
  return bytes.join('.');
}

function refuse(target: string, reason: string): Resolved<NetAct> {
  return { act: { kind: 'net', target, address: null }, refusal: reason };
}
