// From the decision to end a command to the moment at which nothing of it runs any more, whatever it does against that.
import { randomUUID } from 'node:crypto';
import type { Backend } from '../../src/engine/sandbox/launch.ts';
import { defaultLimits, type SandboxLimits } from '../../src/engine/sandbox/sandbox.ts';
import { findMarked } from '../../test/sandbox/hostile/find-marked.ts';
import { atMost, type Measure } from '../support/figure.ts';
import { findBackend } from '../support/find-backend.ts';
import { percentile } from '../support/statistics.ts';
import { timeLaunch } from '../support/time-launch.ts';

const rounds = 40;
const wallMs = 100;

export const sandboxEnd: Measure = {
  name: 'sandbox-end',
  title: `From the decision to end a command to its end, ${rounds} times each`,
  async run() {
    const backend = await findBackend('bwrap');
    const taken = new Map<Way, readonly Ended[]>();
    for (const way of ways) taken.set(way, backend === null ? [] : await endOften(backend, way));
    const left = [...taken.values()].flat().reduce((sum, ended) => sum + ended.left, 0);
    return [
      ...[...taken].map(([{ label }, ended]) => {
        const ours = ended.length === 0 ? Number.NaN : percentile(toDurations(ended), 0.95);
        return atMost(250, { label: `${label}: 95th of 100`, unit: 'ms', ours });
      }),
      atMost(0, { label: 'processes that were left', unit: 'count', ours: backend === null ? Number.NaN : left }),
    ];
  },
};

interface Way {
  readonly label: string;
  /** For perl. */
  readonly program: string;
  readonly limits: Partial<SandboxLimits>;
  /** It is cancelled when it has printed so many lines; null: a limit ends it. */
  readonly cancelledAfterLines: number | null;
}

const ways: readonly Way[] = [
  { label: 'its wall clock runs out', program: 'sleep 600', limits: { wallMs }, cancelledAfterLines: null },
  { label: 'nobody wants it any more', program: 'print "ready\\n"; sleep 600', limits: {}, cancelledAfterLines: 1 },
  {
    label: 'a fork bomb is at its limit',
    program: 'while (1) { fork // select(undef, undef, undef, 0.01) }',
    limits: { processes: 40 },
    cancelledAfterLines: null,
  },
  {
    label: 'deaf grandchildren in sessions of their own',
    program: `use POSIX 'setsid';
      for (1 .. 4) {
        next if fork;
        setsid();
        exit if fork;
        $SIG{TERM} = $SIG{INT} = $SIG{HUP} = 'IGNORE';
        print "ready\\n";
        sleep 600;
      }
      sleep 600`,
    limits: {},
    cancelledAfterLines: 4,
  },
];

interface Ended {
  readonly durationMs: number;
  /** Processes of it that are found on the machine afterwards. */
  readonly left: number;
}

const toDurations = (ended: readonly Ended[]): number[] => ended.map(({ durationMs }) => durationMs);

async function endOften(backend: Backend, way: Way): Promise<readonly Ended[]> {
  const ended: Ended[] = [];
  for (let round = 0; round < rounds; round++) ended.push(await end(backend, way));
  return ended;
}

async function end(backend: Backend, { program, limits, cancelledAfterLines }: Way): Promise<Ended> {
  const marker = randomUUID();
  const cancel = new AbortController();
  let lines = 0;
  let cancelledAt = Number.NaN;
  const session = {
    onStart: () => undefined,
    onOutput(bytes: Uint8Array) {
      lines += bytes.filter((byte) => byte === newline).length;
      if (lines !== cancelledAfterLines || cancel.signal.aborted) return;
      cancelledAt = performance.now();
      cancel.abort();
    },
  };
  const spec = {
    argv: ['perl', '-e', `$| = 1; ${program}`, marker],
    directory: { mode: 'ephemeral', files: [], collect: [] },
    environment: {},
    limits: { ...defaultLimits, ...limits },
    session,
  } as const;
  const { result, at } = await timeLaunch(backend, spec, cancel.signal);
  const isCap = result.kind === 'cap';
  if (!isCap && result.kind !== 'cancelled') throw new Error(`It ended by itself: ${JSON.stringify(result)}`);
  // A wall clock that is looked at late is late from its limit on.
  const decidedAt = isCap ? at.begun + Math.min(result.hit.atMs, spec.limits.wallMs) : cancelledAt;
  return { durationMs: at.gone - decidedAt, left: findMarked(marker).length };
}

const newline = 10;
