// Opening a long run: its events are read, parsed and folded, in a process that has done nothing before and in one that has.
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { atMost, explain, type Figure, type Measure } from '../support/figure.ts';
import { openScratch } from '../support/scratch.ts';
import { startNode, toEnd } from '../support/start-node.ts';
import { median } from '../support/statistics.ts';
import { writeLongJournal } from '../support/write-long-journal.ts';

const steps = 5000;
const processes = 9;

export const longJournal: Measure = {
  name: 'fold',
  title: `A journal of ${steps.toLocaleString('en-US')} steps, read, parsed and folded`,
  async run() {
    using scratch = openScratch();
    const home = join(scratch.path, 'home');
    const { runId, events } = await writeLongJournal(home, steps);
    const taken: Folded[] = [];
    for (let round = 0; round < processes; round++) taken.push(await fold(home, runId));
    return [
      explain({ label: 'events', unit: 'count', ours: events }),
      toFigure('in a fresh process', taken, ([first = Number.NaN]) => first),
      toFigure('again in the same process', taken, ([, ...later]) => median(later)),
    ];
  },
};

const Folded = z.strictObject({ ours: z.array(z.number()).min(2), floor: z.array(z.number()).min(2) });
type Folded = z.infer<typeof Folded>;

async function fold(home: string, runId: string): Promise<Folded> {
  const script = join(import.meta.dirname, '../subject/fold.ts');
  const child = startNode(script, [home, runId], { stdout: 'pipe' });
  const [output] = await Promise.all([text(child.stdout ?? process.stdin), toEnd(child)]);
  return Folded.parse(JSON.parse(output));
}

function toFigure(label: string, taken: readonly Folded[], choose: (times: readonly number[]) => number): Figure {
  const ours = median(taken.map((folded) => choose(folded.ours)));
  const floor = median(taken.map((folded) => choose(folded.floor)));
  return atMost(150, { label, unit: 'ms', floor, ours });
}
