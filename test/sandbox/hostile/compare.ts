// Puts a report into the terms of the expectations, so that the two can be compared as they stand.
import { bombExpectations, type Enclosure, fits, probeExpectations, refused } from '../expectations.ts';
import type { HostileReport } from './report.ts';

export type Ran = Extract<HostileReport, { kind: 'ran' }>;

/** By mode: the probes that got through, or null where nothing was started. */
export type Reached = Readonly<Record<string, readonly string[] | null>>;

const modes = ['ephemeral', 'staged', 'bound'];

export function findReached({ probes }: Ran): Reached {
  return Object.fromEntries(
    Object.entries(probes).map(([mode, answers]) => [
      mode,
      typeof answers === 'string' ? null : toNames(answers, (verdict) => verdict !== 'contained'),
    ]),
  );
}

export function expectReached({ backend, engine }: Enclosure): Reached {
  return Object.fromEntries(
    modes.map((mode) => {
      const words = [backend, engine, mode];
      const isReached = (name: string): boolean =>
        probeExpectations[name]?.reached.some((where) => fits(where, words)) === true;
      return [
        mode,
        refused.some((where) => fits(where, words)) ? null : Object.keys(probeExpectations).filter(isReached).sort(),
      ];
    }),
  );
}

export function expectEnds({ backend, engine }: Enclosure): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(bombExpectations).map(([name, { end, otherwise = {} }]) => {
      const exception = Object.entries(otherwise).find(([where]) => fits(where, [backend, engine]));
      return [name, exception?.[1] ?? end];
    }),
  );
}

/** The ends as the expectations say them. */
export function findEnds({ bombs }: Ran, expected: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(bombs).map(([name, { end }]) => {
      const either = expected[name]?.replace('perhaps ', '');
      return [name, end === either || end === either?.replace(/, \d+ left$/, '') ? (expected[name] ?? end) : end];
    }),
  );
}

function toNames(
  answers: Readonly<Record<string, readonly [string, string]>>,
  isWanted: (verdict: string) => boolean,
): string[] {
  return Object.keys(answers)
    .filter((name) => isWanted(answers[name]?.[0] ?? ''))
    .sort();
}
