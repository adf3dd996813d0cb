// How far a command gets beyond its memory before it is ended, when it takes memory as fast as this machine gives it.
import { strict as assert } from 'node:assert';
import type { Backend } from '../../src/engine/sandbox/launch.ts';
import { defaultLimits } from '../../src/engine/sandbox/sandbox.ts';
import { atMost, explain, type Figure, type Measure } from '../support/figure.ts';
import { findBackend } from '../support/find-backend.ts';
import { timeLaunch } from '../support/time-launch.ts';

const rounds = 10;
const mebibyte = 1024 ** 2;
const capMiB = 256;

export const sandboxMemory: Measure = {
  name: 'sandbox-memory',
  title: `The most memory of a command that may have ${capMiB} MiB, of ${rounds} rounds`,
  async run() {
    const backend = await findBackend('bwrap');
    return [
      ...(await take(backend, { label: 'one process, 8 MiB each 2 ms', processes: 1, pieceMiB: 8 })),
      ...(await take(backend, { label: 'eight processes, 1 MiB each 2 ms each', processes: 8, pieceMiB: 1 })),
    ];
  },
};

interface Bomb {
  readonly label: string;
  readonly processes: number;
  readonly pieceMiB: number;
}

interface Peak {
  /** By the engine, at the look that made it end the command. */
  readonly seenMiB: number;
  /** By the command itself: what it had filled until it was ended. */
  readonly filledMiB: number;
}

async function take(backend: Backend | null, bomb: Bomb): Promise<Figure[]> {
  const peaks: Peak[] = [];
  for (let round = 0; backend !== null && round < rounds; round++) peaks.push(await explode(backend, bomb));
  const largest = (what: string, read: (peak: Peak) => number) => {
    const ours = peaks.length === 0 ? Number.NaN : Math.max(...peaks.map(read));
    return { label: `${bomb.label}: ${what}`, unit: 'MiB', ours } as const;
  };
  return [
    atMost(
      1.1 * capMiB,
      largest('seen by the engine', ({ seenMiB }) => seenMiB),
    ),
    explain(largest('filled by the command', ({ filledMiB }) => filledMiB)),
  ];
}

async function explode(backend: Backend, { processes, pieceMiB }: Bomb): Promise<Peak> {
  const { result } = await timeLaunch(backend, {
    argv: ['perl', '-e', source, String(processes), String(pieceMiB * mebibyte)],
    directory: { mode: 'ephemeral', files: [], collect: [] },
    environment: {},
    limits: { ...defaultLimits, memoryBytes: capMiB * mebibyte },
  });
  assert.ok(result.kind === 'cap' && result.hit.cap === 'memory', JSON.stringify(result));
  return { seenMiB: result.hit.observed / mebibyte, filledMiB: result.stdout.text.length * pieceMiB };
}

/** Each process fills pieces, and writes one character for each that it has filled. */
const source = `
my ($processes, $bytes) = @ARGV;
for (2 .. $processes) { last if !fork }
my @kept;
while (1) {
  push @kept, '';
  vec($kept[-1], $bytes - 1, 8) = 1;
  syswrite STDOUT, '.';
  select(undef, undef, undef, 0.002);
}`;
