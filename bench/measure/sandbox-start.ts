// How long a program takes in a sandbox, beside the same program started by Node alone: `true`, from the call to the answer.
import { join } from 'node:path';
import { z } from 'zod';
import { atMostTimes, explain, type Figure, type Measure } from '../support/figure.ts';
import { runAsEngines, type TakenAsEngine } from '../support/run-as-engines.ts';

export const sandboxStart: Measure = {
  name: 'sandbox-start',
  title: 'Starting `true` in a sandbox',
  async run() {
    const script = join(import.meta.dirname, '../subject/sandbox-start.ts');
    return (await runAsEngines(script, Started)).flatMap(toFigures);
  },
};

/** Milliseconds; what does not work here is left out. */
const Time = z.number().optional();
const Started = z.strictObject({
  bare: z.number(),
  perl: Time,
  bound: Time,
  ephemeral: Time,
  landlock: Time,
  floor: Time,
  parts: z.strictObject({
    prepare: Time,
    spawn: Time,
    launcher: Time,
    bubblewrap: Time,
    command: Time,
    tidy: Time,
  }),
  residentMiB: z.number(),
});

function toFigures({ engine, result }: TakenAsEngine<z.infer<typeof Started>>): Figure[] {
  const { bare, perl, bound, ephemeral, landlock, floor, parts, residentMiB } = result;
  const compare = (label: string, time: number | undefined) =>
    ({ label: `${engine}: ${label}`, unit: 'ms', floor: bare, ours: time ?? Number.NaN }) as const;
  const part = (label: string, time: number | undefined) =>
    explain({ label: `${engine}: of the latter, ${label}`, unit: 'ms', ours: time ?? Number.NaN });
  return [
    atMostTimes(3, compare('bubblewrap, bound workspace', bound)),
    atMostTimes(3, compare('bubblewrap, ephemeral directory', ephemeral)),
    part('preparing', parts.prepare),
    part('starting a process', parts.spawn),
    part('the launcher, until all is mounted', parts.launcher),
    part('bubblewrap, until its child is there', parts.bubblewrap),
    part('the rest of bubblewrap, and `true`', parts.command),
    part('collecting and removing', parts.tidy),
    atMostTimes(2.3, compare('Landlock, ephemeral directory', landlock)),
    explain(compare('caps only', floor)),
    explain(compare('perl alone', perl)),
    explain({ label: `${engine}: memory of the process that starts it`, unit: 'MiB', ours: residentMiB }),
  ];
}
