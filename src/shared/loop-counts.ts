// What an agent does over and over while nothing changes: the same call with the same result, waiting by letting a command
// sleep, asking for agents that it is not given. Counted by the fold, so that a restart forgets nothing of it.
import type { EventOf } from './event.ts';

export interface LoopCounts {
  /** What the last call came to. */
  last: string;
  /** How often that came in a row. */
  repeated: number;
  /** Commands in a row that slept. */
  sleeps: number;
  /** Spawns in a row that were refused. */
  refusedSpawns: number;
  /** It has been told that it goes round in a circle. */
  isTold: boolean;
}

export type LoopKind = 'repeated' | 'sleeps' | 'refusedSpawns';

/** So often nothing comes of it and the agent is told. */
const tellAfter = 5;
/** So often, and it has heard of it and gone on nevertheless. */
const endAfter = 8;

export const noLoop = (): LoopCounts => ({ last: '', repeated: 0, sleeps: 0, refusedSpawns: 0, isTold: false });

export type LoopState =
  | { readonly kind: 'none' }
  | { readonly kind: 'tell' | 'end'; readonly loop: LoopKind; readonly count: number };

export function findLoop(counts: LoopCounts): LoopState {
  const loop = (['repeated', 'sleeps', 'refusedSpawns'] as const).reduce((most, kind) =>
    counts[kind] > counts[most] ? kind : most,
  );
  const count = counts[loop];
  if (counts.isTold && count >= endAfter) return { kind: 'end', loop, count };
  return !counts.isTold && count >= tellAfter ? { kind: 'tell', loop, count } : { kind: 'none' };
}

export interface CountedCall {
  /** The same for the same tool with the same arguments; null where it was not kept. */
  readonly fingerprint: string | null;
  /** It waits in a way that costs nothing while it waits. */
  readonly isPatient: boolean;
}

/** The counts after a call has ended. What changed the workspace leads on, whatever it was. */
export function countCall(counts: LoopCounts, call: CountedCall, event: EventOf<'call-finish'>): LoopCounts {
  if (event.changed || call.isPatient) return noLoop();
  const now = `${event.tool} ${call.fingerprint ?? event.target} ${event.result.hash}`;
  const next = {
    last: now,
    repeated: now === counts.last ? counts.repeated + 1 : 1,
    sleeps: countSleep(counts.sleeps, event),
    refusedSpawns: countRefusal(counts.refusedSpawns, event),
  };
  const isOut = Math.max(next.repeated, next.sleeps, next.refusedSpawns) < tellAfter;
  return { ...next, isTold: counts.isTold && !isOut };
}

const sleeping = /(?:^|[\s;&|(])sleep\s+[\d.]/;

function countSleep(sleeps: number, { tool, target }: EventOf<'call-finish'>): number {
  if (tool !== 'shell' && tool !== 'exec') return sleeps;
  return sleeping.test(target) ? sleeps + 1 : 0;
}

function countRefusal(refused: number, { tool, status }: EventOf<'call-finish'>): number {
  if (tool !== 'spawn_agent') return refused;
  return status === 'ok' ? 0 : refused + 1;
}
