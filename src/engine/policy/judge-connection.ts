// What a rule about a name does not say: where the name leads. An address that is not public is opened by whoever names it,
// never by a wildcard or a default; and a name opens only what its owner may well have put there.
import type { NetAct, ResolvedAct } from '../../shared/act.ts';
import { type AddressScope, classifyAddress } from './classify-address.ts';
import { isAllowedByName, type Question } from './find-rule.ts';
import { type Place, toHost, toNetPlace } from './to-places.ts';
import type { Decision } from './to-verdict.ts';

/**
 * What is decided about the address that an act connects to, besides what rules say of it. Null where it is public, where a
 * person allows the very host or address, and for what connects to nothing.
 */
export function judgeConnection(act: ResolvedAct, toQuestion: (place: Place) => Question): Decision | null {
  if (act.kind !== 'net' || act.address === null) return null;
  const scope = classifyAddress(toHost(act.address));
  if (scope === 'public') return null;
  const place = toNetPlace(act.address, 'address');
  const isOpen = isOpenedByHost(act, scope);
  const openers = isOpen ? [place, toNetPlace(act.target, 'host')] : [place];
  if (openers.some((opener) => isAllowedByName(toQuestion(opener)))) return null;
  return {
    kind: 'not-public',
    place,
    scope,
    effect: isOpen ? 'ask' : 'deny',
    opener: isOpen ? act.target : act.address,
  };
}

/**
 * Whether a yes to the host is one to the address: it is the address, or a name that people give to such a place. Whoever owns
 * any other name can have it lead to this machine, or to the keys of the cloud it stands in.
 */
function isOpenedByHost({ target, address }: NetAct, scope: AddressScope): boolean {
  if (target === address || scope === 'private' || scope === 'carrier-grade') return true;
  return scope === 'loopback' && /(^|\.)localhost$/i.test(toHost(target));
}
