// Connects to a host that was judged: its name is resolved once, every address of it is judged, and only those are
// connected to.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describeFailure } from '../describe-failure.ts';
import { createJudgedLookup, type ResolveName } from '../judged-lookup.ts';
import { toPeer } from '../to-peer.ts';
import type { JudgedTarget } from './egress-proxy.ts';

export interface DialOptions {
  readonly resolve: ResolveName;
  readonly connectMs: number;
}

export type DialEnd =
  | { readonly kind: 'connected'; readonly socket: Socket; readonly address: string }
  | { readonly kind: 'refused' | 'failed'; readonly because: string };

export async function dial(
  { target, refusal, judgeAddresses }: JudgedTarget,
  { resolve, connectMs }: DialOptions,
  signal: AbortSignal,
): Promise<DialEnd> {
  if (refusal !== null) return { kind: 'refused', because: refusal };
  const { host, port } = splitTarget(target);
  const { lookup, findRefusal } = createJudgedLookup(host, resolve, judgeAddresses);
  const because = findRefusal();
  if (because !== null) return { kind: 'refused', because };
  const socket = connect({ host, port, lookup, allowHalfOpen: true });
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect', { signal: AbortSignal.any([signal, AbortSignal.timeout(connectMs)]) });
    return { kind: 'connected', socket, address: toPeer(socket) };
  } catch (error) {
    socket.destroy();
    const refused = findRefusal();
    if (refused !== null) return { kind: 'refused', because: refused };
    return { kind: 'failed', because: describeFailure(toCause(error)) };
  }
}

/** The host as it is connected to: an IPv6 address without its brackets. */
export function splitTarget(target: string): { readonly host: string; readonly port: number } {
  const colon = target.lastIndexOf(':');
  return { host: target.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port: Number(target.slice(colon + 1)) };
}

/** Why a wait was given up says more than that it was. */
function toCause(error: unknown): unknown {
  return error instanceof Error && error.name === 'AbortError' ? (error.cause ?? error) : error;
}
