// Time as a run knows it: the wall clock for "when", and active time, which only grows while a driver is at work and is not
// moved by a clock that jumps.

export interface RunClock {
  /** Wall clock in milliseconds since 1970. */
  nowMs(): number;
  /** Active time of the run in milliseconds, all its drivers together. */
  activeMs(): number;
  /** Until it is disposed of, time does not count as active. */
  rest(): Disposable;
}

export interface Clock {
  nowMs(): number;
  /** Milliseconds from an arbitrary start, never running backwards. */
  monotonicMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };

/** A clock for one driver, going on from the active time of those before it. */
export function createRunClock(clock: Clock, activeBeforeMs: number): RunClock {
  const startedAt = clock.monotonicMs();
  let restedMs = 0;
  let restingSince: number | null = null;
  return {
    nowMs: () => clock.nowMs(),
    activeMs: () => Math.round(activeBeforeMs + (restingSince ?? clock.monotonicMs()) - startedAt - restedMs),
    rest() {
      const since = clock.monotonicMs();
      restingSince = since;
      return {
        [Symbol.dispose]() {
          if (restingSince === null) return;
          restedMs += clock.monotonicMs() - since;
          restingSince = null;
        },
      };
    },
  };
}
