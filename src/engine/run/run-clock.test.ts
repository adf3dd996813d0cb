import { describe, expect, it } from 'vitest';
import { createRunClock, systemClock } from './run-clock.ts';

function createHands() {
  let [wall, monotonic] = [1_800_000_000_000, 500.25];
  return {
    nowMs: () => wall,
    monotonicMs: () => monotonic,
    move(wallMs: number, monotonicMs: number) {
      wall += wallMs;
      monotonic += monotonicMs;
    },
  };
}

describe('the clock of a run', () => {
  it('goes on from the active time of earlier drivers, in whole milliseconds', () => {
    const hands = createHands();
    const clock = createRunClock(hands, 7000);
    const atStart = clock.activeMs();
    hands.move(0, 250.4);
    expect([atStart, clock.activeMs()]).toEqual([7000, 7250]);
  });

  it('is not moved by a wall clock that jumps, which only says when', () => {
    const hands = createHands();
    const clock = createRunClock(hands, 0);
    hands.move(-3_600_000, 10);
    expect([clock.nowMs(), clock.activeMs()]).toEqual([1_800_000_000_000 - 3_600_000, 10]);
  });

  it('never runs backwards on this machine', () => {
    const clock = createRunClock(systemClock, 0);
    const readings = Array.from({ length: 1000 }, () => clock.activeMs());
    expect(readings).toEqual(readings.toSorted((one, other) => one - other));
  });
});
