// The connections of one command to the world: each is judged, counted, metered and told of once, however it ends.
import type { Socket } from 'node:net';
import { Transform } from 'node:stream';
import type { ResolveName } from '../judged-lookup.ts';
import { dial, splitTarget } from './dial.ts';
import type { EgressAttempt, EgressLimits, JudgeTarget } from './egress-proxy.ts';
import { createTransferBudget, type Direction, type TransferBudget } from './transfer-budget.ts';

export interface OpenConnection {
  readonly kind: 'open';
  /** `host:port` as it was connected to. */
  readonly target: string;
  readonly socket: Socket;
  /** Counts what passes through, and fails where it may not. */
  meter(direction: Direction): Transform;
  /** Counts bytes that pass no meter. Why they may not be passed on; null where they may. */
  spend(direction: Direction, bytes: number): string | null;
  /** Why it was cut off from here; null while it was not. */
  readonly cut: string | null;
  /** Closes it and tells of it, once. */
  finish(because: string | null): void;
}

/** Nothing is connected to; it has been told of. */
export interface NoConnection {
  readonly kind: 'refused' | 'failed';
  readonly target: string;
  readonly because: string;
}

export interface Connections {
  /** Judges `host:port` as it was written, and connects to it. */
  open(text: string): Promise<OpenConnection | NoConnection>;
  /** Ends all of them, and waits until each has been told of. */
  close(): Promise<void>;
}

export interface ConnectionsOptions {
  readonly judge: JudgeTarget;
  readonly resolve: ResolveName;
  readonly limits: EgressLimits;
  readonly onAttempt: (attempt: EgressAttempt) => void;
}

export function createConnections({ judge, resolve, limits, onAttempt }: ConnectionsOptions): Connections {
  const { maxAttempts, connectMs, idleMs } = limits;
  const budget = createTransferBudget(limits);
  const opened = new Set<OpenConnection>();
  const opening = new Set<Promise<unknown>>();
  const closing = new AbortController();
  let attempts = 0;
  const tellOfNone = (none: NoConnection): NoConnection => {
    const { kind, target, because } = none;
    onAttempt({ target, address: null, allowed: kind === 'failed', because, sentBytes: 0, receivedBytes: 0 });
    return none;
  };
  const open = async (text: string): Promise<OpenConnection | NoConnection> => {
    const judged = judge(text);
    const { target } = judged;
    const end = await dial(judged, { resolve, connectMs }, closing.signal);
    if (end.kind !== 'connected') return tellOfNone({ ...end, target });
    const tell = (attempt: EgressAttempt): void => {
      opened.delete(connection);
      onAttempt(attempt);
    };
    const connection = hold(end, { target, budget, idleMs, tell });
    opened.add(connection);
    if (closing.signal.aborted) connection.finish(null);
    return connection;
  };
  return {
    async open(text) {
      attempts += 1;
      if (attempts > maxAttempts) {
        const because = `a command may connect ${maxAttempts} times at most`;
        const none = { kind: 'refused', target: text, because } as const;
        return attempts === maxAttempts + 1 ? tellOfNone(none) : none;
      }
      const opens = open(text);
      opening.add(opens);
      return opens.finally(() => opening.delete(opens));
    },
    async close() {
      closing.abort();
      await Promise.allSettled(opening);
      for (const connection of [...opened]) connection.finish(null);
    },
  };
}

interface Holding {
  readonly target: string;
  readonly budget: TransferBudget;
  readonly idleMs: number;
  readonly tell: (attempt: EgressAttempt) => void;
}

function hold(
  { socket, address }: { readonly socket: Socket; readonly address: string },
  { target, budget, idleMs, tell }: Holding,
): OpenConnection {
  const { host } = splitTarget(target);
  const passed = { sent: 0, received: 0 };
  let cut: string | null = null;
  let isOver = false;
  const spend = (direction: Direction, bytes: number): string | null => {
    const because = budget.spend(host, direction, bytes);
    if (because === null) passed[direction] += bytes;
    else cut ??= because;
    return because;
  };
  socket.setTimeout(idleMs, () => {
    cut ??= `nothing came either way for ${idleMs / 1000} s`;
    socket.destroy();
  });
  return {
    kind: 'open',
    target,
    socket,
    spend,
    meter: (direction) =>
      new Transform({
        transform(piece: Buffer, _, pass) {
          const because = spend(direction, piece.length);
          if (because === null) pass(null, piece);
          else pass(new Error(because));
        },
      }),
    get cut() {
      return cut;
    },
    finish(because) {
      if (isOver) return;
      isOver = true;
      socket.destroy();
      const { sent: sentBytes, received: receivedBytes } = passed;
      tell({ target, address, allowed: true, because: cut ?? because, sentBytes, receivedBytes });
    },
  };
}
