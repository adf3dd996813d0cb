// What a run leaves in the home once the engine is closed: little, and the same for each step of a long run.
import { atMost, explain, type Figure, type Measure } from '../support/figure.ts';
import { type Models, timeSteps, withModels } from '../support/time-steps.ts';

export const storedBytes: Measure = {
  name: 'bytes',
  title: 'Stored bytes',
  run: () =>
    withModels(async (models) => {
      const few = await store(models, 20);
      const some = await store(models, 200);
      const many = await store(models, 2000);
      const early = (some.bytes - few.bytes) / (some.steps - few.steps);
      const late = (many.bytes - some.bytes) / (many.steps - some.steps);
      return [
        atMost(1024, { label: `home after ${few.steps} steps`, unit: 'KiB', ours: few.bytes / 1024 }),
        ...[few, some, many].map(toPerStep),
        explain({ label: `for each of the steps ${few.steps} to ${some.steps}`, unit: 'KiB', ours: early / 1024 }),
        explain({ label: `for each of the steps ${some.steps} to ${many.steps}`, unit: 'KiB', ours: late / 1024 }),
        atMost(1.2, { label: 'the latter / the former', unit: 'ratio', ours: late / early }),
      ];
    }),
};

interface Stored {
  readonly steps: number;
  readonly bytes: number;
}

async function store(models: Models, steps: number): Promise<Stored> {
  const { storedBytes: bytes } = await timeSteps(models, { subject: 'engine', steps, others: 0 });
  return { steps, bytes };
}

function toPerStep({ steps, bytes }: Stored): Figure {
  return explain({ label: `home after ${steps} steps, by steps`, unit: 'KiB', ours: bytes / steps / 1024 });
}
