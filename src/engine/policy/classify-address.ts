// What kind of place an IP address is. A name may lead anywhere: to this machine, into the network around it, or to the
// service that hands a cloud machine its keys. An IPv4 address inside an IPv6 one counts for what it is by itself.
import { parseAddress } from './parse-address.ts';

export type AddressScope =
  | 'public'
  /** This machine itself. */
  | 'loopback'
  /** A network of its own, behind whatever stands at its border. */
  | 'private'
  /** The cable or radio that this machine is on. */
  | 'link-local'
  /** What a cloud offers to the machines in it, keys among them. */
  | 'metadata'
  /** Inside the network of a provider. */
  | 'carrier-grade'
  | 'multicast'
  /** Set aside, or for no machine at all. */
  | 'reserved';

/** `address` as a resolver gives it, or in brackets; what is no address at all is `reserved`. */
export function classifyAddress(address: string): AddressScope {
  const groups = parseAddress(address);
  return groups === null ? 'reserved' : classify(groups);
}

function classify(groups: readonly number[]): AddressScope {
  const carrier = carriers.find(({ block }) => isWithin(groups, block));
  if (carrier === undefined) return blocks.find(({ block }) => isWithin(groups, block))?.scope ?? 'reserved';
  const scopes = carrier.places.map(({ at, flips = 0 }) => {
    const [high = 0, low = 0] = groups.slice(at, at + 2).map((group) => group ^ flips);
    return classify([0, 0, 0, 0, 0, 0xffff, high, low]);
  });
  return scopes.find((scope) => scope !== 'public') ?? 'public';
}

interface Block {
  readonly base: readonly number[];
  readonly bits: number;
}

/** Only the first `bits` bits count. */
function isWithin(groups: readonly number[], { base, bits }: Block): boolean {
  return base.every((group, index) => {
    const uncounted = Math.min(16, Math.max(0, 16 * (index + 1) - bits));
    return group >> uncounted === (groups[index] ?? 0) >> uncounted;
  });
}

function toBlock(text: string): Block {
  const [address = '', bits = ''] = text.split('/');
  const base = parseAddress(address);
  if (base === null) throw new TypeError(`${text} is no block of addresses`);
  return { base, bits: Number(bits) + (address.includes(':') ? 0 : 96) };
}

/** Forms of IPv6 that carry IPv4 addresses, and in which of their groups. */
const carriers: readonly {
  readonly block: Block;
  readonly places: readonly { readonly at: number; readonly flips?: number }[];
}[] = [
  { block: toBlock('64:ff9b::/96'), places: [{ at: 6 }] }, // NAT64
  { block: toBlock('::ffff:0:0:0/96'), places: [{ at: 6 }] }, // SIIT
  { block: toBlock('2002::/16'), places: [{ at: 1 }] }, // 6to4
  { block: toBlock('2001::/32'), places: [{ at: 6, flips: 0xffff }, { at: 2 }] }, // Teredo: client and server
];

/** The first that takes an address in says what it is; the last of each family takes in all the rest. */
const blocks: readonly { readonly block: Block; readonly scope: AddressScope }[] = toRows({
  '169.254.169.254/32': 'metadata',
  '169.254.170.2/32': 'metadata', // Amazon's, for containers
  '100.100.100.200/32': 'metadata', // Alibaba
  '168.63.129.16/32': 'metadata', // Azure
  '192.0.0.192/32': 'metadata', // Oracle
  'fd00:ec2::/32': 'metadata', // Amazon
  'fd20:ce::254/128': 'metadata', // Google
  'fd00:42::42/128': 'metadata', // Scaleway
  '127.0.0.0/8': 'loopback',
  '::1/128': 'loopback',
  '10.0.0.0/8': 'private',
  '172.16.0.0/12': 'private',
  '192.168.0.0/16': 'private',
  'fc00::/7': 'private',
  'fec0::/10': 'private',
  '64:ff9b:1::/48': 'private',
  '169.254.0.0/16': 'link-local',
  'fe80::/10': 'link-local',
  '100.64.0.0/10': 'carrier-grade',
  '224.0.0.0/4': 'multicast',
  'ff00::/8': 'multicast',
  '0.0.0.0/8': 'reserved', // Most systems take it for themselves.
  '192.0.0.0/24': 'reserved',
  '192.0.2.0/24': 'reserved',
  '192.88.99.0/24': 'reserved',
  '198.18.0.0/15': 'reserved',
  '198.51.100.0/24': 'reserved',
  '203.0.113.0/24': 'reserved',
  '240.0.0.0/4': 'reserved',
  '2001::/23': 'reserved',
  '2001:db8::/32': 'reserved',
  '3fff::/20': 'reserved',
  '0.0.0.0/0': 'public',
  '2000::/3': 'public',
});

function toRows(scopes: Readonly<Record<string, AddressScope>>) {
  return Object.entries(scopes).map(([text, scope]) => ({ block: toBlock(text), scope }));
}
