// A hundred sandboxes asked for at once, beside a hundred bare programs.
import { defaultLimits } from '../../src/engine/sandbox/sandbox.ts';
import { toSandbox } from '../../src/engine/sandbox/to-sandbox.ts';
import { atMost, explain, type Measure } from '../support/figure.ts';
import { findBackend } from '../support/find-backend.ts';
import { median } from '../support/statistics.ts';
import { timePlain } from '../support/time-plain.ts';

const commands = 100;
const rounds = 3;

export const sandboxCrowd: Measure = {
  name: 'sandbox-crowd',
  title: `${commands} sandboxes at once`,
  async run() {
    const backend = await findBackend('bwrap');
    const plain: number[] = [];
    const ours: number[] = [];
    let failed = 0;
    for (let round = 0; backend !== null && round < rounds; round++) {
      const sandbox = toSandbox(backend);
      plain.push((await timeCrowd(() => timePlain(['/bin/true']))).durationMs);
      const crowd = await timeCrowd(() => sandbox.run(spec, new AbortController().signal));
      ours.push(crowd.durationMs);
      failed += crowd.results.filter((result) => result.kind !== 'exit' || result.code !== 0).length;
    }
    const seconds = (times: readonly number[]) => (times.length === 0 ? Number.NaN : median(times) / 1000);
    return [
      atMost(0, {
        label: 'commands that did not end well',
        unit: 'count',
        ours: backend === null ? Number.NaN : failed,
      }),
      explain({ label: 'until the last has ended', unit: 's', floor: seconds(plain), ours: seconds(ours) }),
    ];
  },
};

const spec = {
  argv: ['true'],
  directory: { mode: 'ephemeral', files: [], collect: [] },
  environment: {},
  limits: { ...defaultLimits, wallMs: 60_000 },
} as const;

async function timeCrowd<Result>(start: () => Promise<Result>) {
  const startedMs = performance.now();
  const results = await Promise.all(Array.from({ length: commands }, start));
  return { results, durationMs: performance.now() - startedMs };
}
