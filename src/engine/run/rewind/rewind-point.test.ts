import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent } from '../../../shared/event.ts';
import { RunId, rootAgentId, toChildId } from '../../../shared/id.ts';
import type { RewindAim } from '../../../shared/rewind.ts';
import { findRewindPoint } from './rewind-point.ts';

const runId = RunId.parse(`run-${'0'.repeat(22)}`);

/** A number asks for that step; anything else is a rewind, at once finished. Each event is ten after the one before. */
function toEvents(happened: readonly (number | RewindAim)[]): JournalEvent[] {
  const told = { actor: 'person:test', files: [], untold: 0 };
  const bodies = happened.flatMap((each): (EventBody & { readonly step: number })[] => {
    if (typeof each === 'number') return [{ ...modelStart, step: each }];
    return [
      { type: 'rewind-start', ...told, aim: each, step: 0 },
      { type: 'run-rewind', ...told, aim: each.kind, cancelled: [], step: 0 },
    ];
  });
  return bodies.map((body, place) => ({ runId, agentId: rootAgentId, at: 0, seq: 10 * (place + 1), ...body }));
}

const modelStart = {
  type: 'model-start',
  attempt: 1,
  reservation: { inputTokens: 1, outputTokens: 1, costUsd: null },
  maxOutputTokens: 1,
  activeMs: 0,
} as const;

const to = (step: number): RewindAim => ({ kind: 'step', step, items: 0, compactedBefore: 0, seen: [] });
const undo: RewindAim = { kind: 'undo', rewind: 1 };
const filesAlone: RewindAim = { kind: 'files' };

describe('the point at which a step had ended', () => {
  it.each([
    ['is right before the next step was asked for', [1, 2, 3], 1, 19],
    ['is right before the first request for 0', [1, 2, 3], 0, 9],
    ['is before the first of several requests for the next step', [1, 2, 2, 3], 1, 19],
    ['lies in the branch that was gone on with', [1, 2, 3, to(1), 4, 5], 4, 69],
    ['of the step that was gone back to is where it was gone on from', [1, 2, 3, to(1), 4, 5], 1, 59],
    ['is found behind an undone rewind', [1, 2, 3, to(1), undo], 2, 29],
    ['is found behind the first of two rewinds when the second is undone', [1, 2, 3, to(2), to(1), undo], 1, 19],
    ['is not moved by files that were put back alone', [1, 2, filesAlone, undo, 3], 2, 69],
  ] as const)('%s', (_what, happened, step, point) => {
    expect(findRewindPoint(toEvents(happened), step)).toBe(point);
  });

  it('is that of the root, whatever steps other agents have begun in between', () => {
    const other = { ...modelStart, runId, agentId: toChildId(rootAgentId, 1, 0), at: 0 };
    const events = toEvents([1, 2, 3]).toSpliced(1, 0, { ...other, step: 2, seq: 15 }, { ...other, step: 9, seq: 16 });
    expect([findRewindPoint(events, 1), findRewindPoint(events, 2)]).toEqual([19, 29]);
    expect(() => findRewindPoint(events, 9)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it.each([
    ['a step that was left behind', [1, 2, 3, to(1), 4], 2],
    ['a step that never was', [1, 2], 7],
    ['the step at whose end the run stands', [1, 2], 2],
    ['the beginning of a run that has not begun', [], 0],
  ] as const)('does not exist for %s', (_what, happened, step) => {
    expect(() => findRewindPoint(toEvents(happened), step)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
