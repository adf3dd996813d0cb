import type { Socket } from 'node:net';

/** Whom a socket is connected to, as `ip:port`; an IPv6 address stands in brackets. */
export function toPeer({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`;
}
