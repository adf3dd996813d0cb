// The trials of one subject in one line.
import { median } from '../../support/statistics.ts';
import type { TrialRow } from './trial.ts';

export function toSummary(name: string, rows: readonly TrialRow[]): object {
  const sum = (count: (row: TrialRow) => number): number => rows.reduce((total, row) => total + count(row), 0);
  const trialsWith = (is: (row: TrialRow) => boolean): number => rows.filter(is).length;
  return {
    name,
    trials: rows.length,
    finished: trialsWith(({ finished }) => finished),
    /** Done twice, or never and nobody told. */
    silent: sum(({ twice, missing, missingShown }) => twice.length + missing.length - missingShown.length),
    twice: sum(({ twice }) => twice.length),
    trialsWithTwice: trialsWith(({ twice }) => twice.length > 0),
    missing: sum(({ missing }) => missing.length),
    missingShown: sum(({ missingShown }) => missingShown.length),
    doneShown: sum(({ doneShown }) => doneShown.length),
    exact: trialsWith(({ finished, twice, missing }) => finished && twice.length === 0 && missing.length === 0),
    lost: sum(({ lost }) => lost),
    withoutRequest: trialsWith(({ resumedAt }) => resumedAt === null),
    fromTheBeginning: trialsWith(({ resumedAt }) => resumedAt === 0),
    medianResumeS: median(rows.map(({ resumeS }) => resumeS)),
  };
}
