// What a sandboxed command that does nothing adds to a step: it must not grow with the repository that it works in.
import { join } from 'node:path';
import { z } from 'zod';
import { atMost, explain, type Figure, type Measure } from '../support/figure.ts';
import { runAsEngines, type TakenAsEngine } from '../support/run-as-engines.ts';

export const sandboxStep: Measure = {
  name: 'sandbox-step',
  title: 'What a sandboxed `true` adds to a step',
  async run() {
    const script = join(import.meta.dirname, '../subject/sandbox-step.ts');
    return (await runAsEngines(script, Taken)).flatMap(toFigures);
  },
};

/** Milliseconds; null where bubblewrap does not work. */
const Taken = z
  .strictObject({
    firstHidden: z.strictObject({ many: z.number(), few: z.number() }),
    bare: z.number(),
    bound: z.number(),
    stagedMany: z.number(),
    stagedFew: z.number(),
    laterHiddenMany: z.number(),
    laterHiddenFew: z.number(),
    copy: z.number(),
    walk: z.number(),
    changed: z.array(z.strictObject({ count: z.int(), collect: z.number(), make: z.number() })),
  })
  .nullable();

function toFigures({ engine, result }: TakenAsEngine<z.infer<typeof Taken>>): Figure[] {
  if (result === null) return [atMost(80, { label: `${engine}: staged`, unit: 'ms', ours: Number.NaN })];
  const floor = result.bare;
  const value = (label: string, ours: number) => ({ label: `${engine}: ${label}`, unit: 'ms', ours }) as const;
  return [
    atMost(40, { ...value('bound, 10,000 files', result.bound), floor }),
    atMost(80, { ...value('staged, 10,000 files', result.stagedMany), floor }),
    explain({ ...value('staged, 100 files', result.stagedFew), floor }),
    atMost(1.2, {
      label: `${engine}: the former / the latter`,
      unit: 'ratio',
      ours: result.stagedMany / result.stagedFew,
    }),
    explain(value('of which finding what it must not see, 10,000 files', result.laterHiddenMany)),
    explain(value('of which finding what it must not see, 100 files', result.laterHiddenFew)),
    explain(value('finding that for the first time, 10,000 files', result.firstHidden.many)),
    explain(value('finding that for the first time, 100 files', result.firstHidden.few)),
    explain(value('for comparison: lstat of 10,000 files', result.walk)),
    explain(value('for comparison: cp -a of 10,000 files', result.copy)),
    ...result.changed.flatMap(({ count, collect, make }) => [
      explain(value(`new files collected: ${count.toLocaleString('en-US')}`, collect)),
      explain(value(`new files made in the workspace: ${count.toLocaleString('en-US')}`, make)),
    ]),
  ];
}
