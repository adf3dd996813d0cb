// The way out for a command that has no network of its own: a proxy of the engine that lets through what is permitted and
// nothing else. Whoever opens it decides what that is; here it is only kept to, to the byte and to the address.
import type { JudgeAddresses, ResolveName } from '../judged-lookup.ts';

/** One host that a command wanted to reach, told when that is over. */
export interface EgressAttempt {
  /** `host:port` in the form in which it was judged; as it was written where it cannot be read. */
  readonly target: string;
  /** `ip:port`, as it was connected to; null where nothing was. */
  readonly address: string | null;
  readonly allowed: boolean;
  /** Why it was refused, failed or was cut off, as the end of a sentence; null for what came to its own end. */
  readonly because: string | null;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

export interface JudgedTarget {
  /** `host:port` in its normal form, IPv6 addresses in brackets: just this is connected to. */
  readonly target: string;
  /** Why it is not, as the end of a sentence; null where it may be. */
  readonly refusal: string | null;
  readonly judgeAddresses: JudgeAddresses;
}

/** Judges `host:port` as a command wrote it. */
export type JudgeTarget = (text: string) => JudgedTarget;

export interface EgressLimits {
  /** At the same time; more are turned away. */
  readonly maxConnections: number;
  /** In all; of those that come after, only the first is told of. */
  readonly maxAttempts: number;
  /** Of a request, and of the answer to it. */
  readonly maxHeaderBytes: number;
  /** Until a request has said where it goes, and until a tunnel has said what is in it. */
  readonly headerMs: number;
  /** For finding the address and connecting to it. */
  readonly connectMs: number;
  /** Without a byte either way. */
  readonly idleMs: number;
  /** Sent to one host, whatever its port, and to all of them. */
  readonly sentBytesPerHost: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

const mebibyte = 1024 * 1024;

export const defaultEgressLimits: EgressLimits = {
  maxConnections: 256,
  maxAttempts: 1000,
  maxHeaderBytes: 16 * 1024,
  headerMs: 10_000,
  connectMs: 15_000,
  idleMs: 120_000,
  sentBytesPerHost: 10 * mebibyte,
  sentBytes: 32 * mebibyte,
  receivedBytes: 2048 * mebibyte,
};

export interface EgressProxyOptions {
  /** Where its socket is made: a directory that nobody else may enter. */
  readonly directory: string;
  readonly judge: JudgeTarget;
  /** Called once for each attempt, the last of them before the proxy has closed. */
  readonly onAttempt: (attempt: EgressAttempt) => void;
  /** How names become addresses; as the system says by default. */
  readonly resolve?: ResolveName;
  readonly limits?: Partial<EgressLimits>;
}

export interface EgressProxy extends AsyncDisposable {
  /** Path of the socket. Any user may connect to it who can get at it at all. */
  readonly socket: string;
}
