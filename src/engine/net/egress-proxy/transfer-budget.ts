// What may go over all connections of one command together. Whatever leaves through an allowed host has left, so that is
// counted for each host by itself as well.
import type { EgressLimits } from './egress-proxy.ts';

export type Direction = 'sent' | 'received';

export interface TransferBudget {
  /** Counts bytes that are about to be passed on. Why they may not be, as the end of a sentence; null where they may. */
  spend(host: string, direction: Direction, bytes: number): string | null;
}

type TransferLimits = Pick<EgressLimits, 'sentBytesPerHost' | 'sentBytes' | 'receivedBytes'>;

export function createTransferBudget(limits: TransferLimits): TransferBudget {
  const sentTo = new Map<string, number>();
  let sent = 0;
  let received = 0;
  return {
    spend(host, direction, bytes) {
      if (direction === 'received') {
        received += bytes;
        return received <= limits.receivedBytes ? null : `a command may receive ${limits.receivedBytes} bytes at most`;
      }
      sent += bytes;
      const sentHere = (sentTo.get(host) ?? 0) + bytes;
      sentTo.set(host, sentHere);
      if (sentHere > limits.sentBytesPerHost) return `a command may send ${limits.sentBytesPerHost} bytes to one host`;
      return sent <= limits.sentBytes ? null : `a command may send ${limits.sentBytes} bytes in all`;
    },
  };
}
