// Resolves the name that is connected to, once, and hands on only addresses that were judged: what is connected to is what
// was judged, whatever the resolver would say a moment later. If one of a name's addresses is refused, all of them are.
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';

/** All addresses of a name. */
export type ResolveName = (name: string) => Promise<readonly LookupAddress[]>;

/** Why one of these addresses may not be connected to, or null when all may. */
export type JudgeAddresses = (addresses: readonly string[]) => string | null;

export const systemResolver: ResolveName = (name) => lookup(name, { all: true });

export interface JudgedLookup {
  readonly lookup: LookupFunction;
  /** Why the connection is refused; null while it is not. */
  findRefusal(): string | null;
}

/** A host that is an address already is judged at once, as nobody looks it up. */
export function createJudgedLookup(host: string, resolve: ResolveName, judge: JudgeAddresses): JudgedLookup {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  let refusal = isIP(address) === 0 ? null : judge([address]);
  const find = async (name: string): Promise<LookupAddress[]> => {
    const found = await resolve(name);
    refusal = judge(found.map((each) => each.address));
    if (refusal !== null) throw new Error(refusal);
    return [...found];
  };
  return {
    findRefusal: () => refusal,
    lookup: (name, { all }, answer) => {
      find(name).then(
        (found) => (all === true ? answer(null, found) : answer(null, found[0]?.address ?? '', found[0]?.family)),
        (error) => answer(error, []),
      );
    },
  };
}
