import { describe, expect, it } from 'vitest';
import { isFinal, RunOutcome, toExitCode } from './outcome.ts';

/** Every kind of ending, with its documented exit code and whether a resume returns it as it is. */
const endings: readonly (readonly [outcome: RunOutcome, exitCode: number, final: boolean])[] = [
  [{ kind: 'met', checked: true }, 0, true],
  [{ kind: 'finished', checked: false }, 0, true],
  [{ kind: 'notMet', reason: 'r' }, 1, true],
  [{ kind: 'stalled', reason: 'r' }, 1, true],
  [{ kind: 'notEvaluated', reason: 'r' }, 1, false],
  [{ kind: 'invalid', reason: 'r' }, 2, true],
  [{ kind: 'awaitingApproval', requests: ['q'] }, 3, false],
  [{ kind: 'awaitingPlan' }, 3, false],
  [{ kind: 'awaitingRecovery', calls: ['c'] }, 3, false],
  [{ kind: 'paused' }, 3, false],
  [{ kind: 'refused', reason: 'r' }, 4, true],
  [{ kind: 'budget', which: 'tokens', reason: 'r' }, 5, false],
  [{ kind: 'providerFailed', failure: 'server', reason: 'r' }, 6, false],
  [{ kind: 'sandboxUnavailable', reason: 'r' }, 7, false],
  [{ kind: 'storeFailed', reason: 'r' }, 8, false],
  [{ kind: 'cancelled', by: 'a person' }, 9, true],
  [{ kind: 'rewound', step: 2 }, 3, false],
  [{ kind: 'interrupted', signal: 'SIGINT' }, 130, false],
  [{ kind: 'interrupted', signal: 'SIGTERM' }, 143, false],
];

describe('an outcome', () => {
  it.each(endings)('%j has exit code %i, and final is %s', (outcome, exitCode, final) => {
    expect({ parsed: RunOutcome.parse(outcome), exitCode: toExitCode(outcome), final: isFinal(outcome) }).toEqual({
      parsed: outcome,
      exitCode,
      final,
    });
  });

  it('is of a kind that stands in the table above', () => {
    const kinds = RunOutcome.options.map(({ shape }) => shape.kind.value);
    expect(new Set(endings.map(([{ kind }]) => kind))).toEqual(new Set(kinds));
  });

  it.each([
    ['success without a check', { kind: 'met', checked: false }],
    ['an unchecked end that calls itself checked', { kind: 'finished', checked: true }],
    ['waiting for nothing', { kind: 'awaitingApproval', requests: [] }],
    ['a spent budget that nobody named', { kind: 'budget', reason: 'r' }],
    ['a field of another kind', { kind: 'paused', reason: 'r' }],
  ])('cannot be %s', (_what, value) => {
    expect(RunOutcome.safeParse(value).success).toBe(false);
  });
});
