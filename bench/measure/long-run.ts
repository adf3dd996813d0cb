// Whether a step costs the same at the end of a long run as at its beginning: the cost of a step must not grow with the
// steps before it by more than the floor's does, which sends the same growing context.
import { atMost, explain, type Figure, type Measure } from '../support/figure.ts';
import { median } from '../support/statistics.ts';
import { timeSteps, withModels } from '../support/time-steps.ts';

const steps = 2000;
const part = 100;
const rounds = 3;

export const longRun: Measure = {
  name: 'long',
  title: `A run of ${steps.toLocaleString('en-US')} steps`,
  run: () =>
    withModels(async (models) => {
      const taken: Round[] = [];
      for (let round = 0; round < rounds; round++) {
        const floor = await timeSteps(models, { subject: 'floor', steps, others: 0 });
        const ours = await timeSteps(models, { subject: 'engine', steps, others: 0 });
        taken.push({ floor: floor.stepsMs, ours: ours.stepsMs });
      }
      return toFigures(taken);
    }),
};

interface Round {
  readonly floor: readonly number[];
  readonly ours: readonly number[];
}

function toFigures(taken: readonly Round[]): Figure[] {
  const first = taken.map(({ floor, ours }) => toMedians(floor.slice(0, part), ours.slice(0, part)));
  const last = taken.map(({ floor, ours }) => toMedians(floor.slice(-part), ours.slice(-part)));
  const toRatio = (medians: readonly Medians[]) => median(medians.map(({ floor, ours }) => ours / floor));
  return [
    toStepFigure(`step, the first ${part}`, first),
    toStepFigure(`step, the last ${part}`, last),
    explain({ label: `ours / floor, the first ${part}`, unit: 'ratio', ours: toRatio(first) }),
    explain({ label: `ours / floor, the last ${part}`, unit: 'ratio', ours: toRatio(last) }),
    atMost(1.2, { label: 'the latter / the former', unit: 'ratio', ours: toRatio(last) / toRatio(first) }),
  ];
}

interface Medians {
  readonly floor: number;
  readonly ours: number;
}

const toMedians = (floor: readonly number[], ours: readonly number[]): Medians => ({
  floor: median(floor),
  ours: median(ours),
});

function toStepFigure(label: string, medians: readonly Medians[]): Figure {
  const floor = median(medians.map((each) => each.floor));
  const ours = median(medians.map((each) => each.ours));
  return explain({ label, unit: 'ms', floor, ours });
}
