// Every point at which a crash can be had, each round at another of the times that the run passes it.
import { type CrashPoint, crashPoints } from '../../src/engine/journal/crash-point.ts';
import { type KilledRun, killAt, runUntouched } from '../../test/crash/kill-at.ts';
import { createRandom } from '../../test/support/create-random.ts';
import type { TortureRow } from './torture.ts';

export async function tortureCrashes(rounds: number): Promise<readonly TortureRow[]> {
  const untouched = await runUntouched();
  const killed: (KilledRun & { readonly point: CrashPoint })[] = [];
  for (let seed = 1; seed <= rounds; seed++) {
    const random = createRandom(seed);
    for (const point of crashPoints) {
      const nth = 1 + Math.floor(random() * (untouched.passed.get(point) ?? 1));
      const run = { point, ...(await killAt(untouched, point, nth)) };
      killed.push(run);
      process.stderr.write(`crashes, round ${seed} of ${rounds}: ${point} ${nth}: ${JSON.stringify(run)}\n`);
    }
  }
  const sum = (name: 'asked' | 'wrongEnds' | 'paidTwice' | 'fetchedTwice' | 'unlistedCharges'): number =>
    killed.reduce((total, run) => total + run[name], 0);
  const count = (how: KilledRun['killed'], of: readonly KilledRun[] = killed): number =>
    of.filter((run) => run.killed === how).length;
  const row = (text: string, amount: number): TortureRow => ({ counted: text, count: amount, isFault: false });
  const fault = (text: string, amount: number): TortureRow => ({ counted: text, count: amount, isFault: true });
  return [
    row('Runs of the command line, each to be killed once', killed.length),
    ...crashPoints.map((point) =>
      row(
        `killed at \`${point}\``,
        count(
          'in-the-run',
          killed.filter((run) => run.point === point),
        ),
      ),
    ),
    row('killed before the run was in the journal', count('early')),
    row('that came to their end first', count('not')),
    row('Calls of which a person had to say what became of them', sum('asked')),
    fault('Runs that came to another end, workspace or transcript', sum('wrongEnds')),
    fault('Kept replies that were asked for again', sum('paidTwice')),
    fault('Pages that were fetched twice unasked', sum('fetchedTwice')),
    fault('Requests that may have been billed and are not listed so', sum('unlistedCharges')),
  ];
}
