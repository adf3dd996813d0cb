// The address that a permitted host turned out to have is judged together with the host, before it is connected to.
import type { NetAct } from '../../shared/act.ts';
import { findRefusal, judgeResolved } from './judge-resolved.ts';
import type { Permission } from './judged-place.ts';
import { resolveNetTarget } from './resolve-net-target.ts';

/** Why none of these addresses may be connected to for this act; null where each of them may. */
export function judgeAddresses(act: NetAct, addresses: readonly string[], permission: Permission): string | null {
  return addresses.map((address) => judgeAddress(act, address, permission)).find(isRefused) ?? null;
}

function judgeAddress(act: NetAct, address: string, { stance, permitted }: Permission): string | null {
  const port = act.target.slice(act.target.lastIndexOf(':'));
  const reached = resolveNetTarget(`${address.includes(':') ? `[${address}]` : address}${port}`);
  const connecting: NetAct = { ...act, address: reached.act.target };
  return findRefusal(judgeResolved({ act: connecting, refusal: reached.refusal }, stance).verdict, permitted);
}

const isRefused = (refusal: string | null): refusal is string => refusal !== null;
