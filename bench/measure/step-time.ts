// Time of the engine in one step, from the last byte of a reply to the arrival of the next request, beside the floor. Both
// take turns, so that whatever else the machine does meets both.
import type { Figure, Measure } from '../support/figure.ts';
import { toStepKind } from '../support/model-script.ts';
import { median } from '../support/statistics.ts';
import { type Models, timeSteps, withModels } from '../support/time-steps.ts';

const rounds = 5;

export const stepTime: Measure = {
  name: 'step',
  title: 'Time of a step',
  run: () =>
    withModels(async (models) => [
      ...(await compare(models, { steps: 20, others: 0 })),
      ...(await compare(models, { steps: 200, others: 0 })),
      ...(await compare(models, { steps: 200, others: 8 })),
    ]),
};

interface Setting {
  readonly steps: number;
  readonly others: number;
}

interface Round {
  readonly floor: readonly number[];
  readonly ours: readonly number[];
}

async function compare(models: Models, setting: Setting): Promise<Figure[]> {
  const taken: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const floor = await timeSteps(models, { ...setting, subject: 'floor' });
    const ours = await timeSteps(models, { ...setting, subject: 'engine' });
    taken.push({ floor: floor.stepsMs, ours: ours.stepsMs });
  }
  const beside = setting.others === 0 ? 'alone' : `${setting.others} other runs streaming`;
  return (['all', 'read', 'write'] as const).map((kind) => {
    const what = kind === 'all' ? 'all' : `those that ${kind}`;
    return toFigure(`step, ${setting.steps} steps, ${beside}: ${what}`, taken, (_, step) =>
      kind === 'all' ? true : toStepKind(step) === kind,
    );
  });
}

/** The median of the rounds' medians. */
function toFigure(label: string, taken: readonly Round[], isMeant: (ms: number, step: number) => boolean): Figure {
  const floor = median(taken.map((round) => median(round.floor.filter(isMeant))));
  const ours = median(taken.map((round) => median(round.ours.filter(isMeant))));
  const isMet = ours <= floor + 5 && ours <= 2 * floor;
  return { label, unit: 'ms', target: 'at most floor + 5 ms, and 2 x floor', floor, ours, isMet };
}
