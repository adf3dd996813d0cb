// What the engine itself spends on commands that do nothing: it looks at them all the time, and must hardly be seen doing so.
import { setTimeout } from 'node:timers/promises';
import type { Backend } from '../../src/engine/sandbox/launch.ts';
import { defaultLimits } from '../../src/engine/sandbox/sandbox.ts';
import { toSandbox } from '../../src/engine/sandbox/to-sandbox.ts';
import { atMost, type Figure, type Measure } from '../support/figure.ts';
import { findBackend } from '../support/find-backend.ts';

const durationMs = 10_000;

export const sandboxWatch: Measure = {
  name: 'sandbox-watch',
  title: `Watching quiet commands for ${durationMs / 1000} s`,
  async run() {
    const backend = await findBackend('bwrap');
    return [await take(backend, 1, 2), await take(backend, 100, 25)];
  },
};

async function take(backend: Backend | null, commands: number, limit: number): Promise<Figure> {
  const label = commands === 1 ? 'one command' : `${commands} commands`;
  const ours = backend === null ? Number.NaN : await watch(backend, commands);
  return atMost(limit, { label: `${label}: processor time of the engine`, unit: '%', ours });
}

/** Percent of a core, from the moment at which all have begun. */
async function watch(backend: Backend, commands: number): Promise<number> {
  const stop = new AbortController();
  const running = Array.from({ length: commands }, () => start(backend, stop.signal));
  try {
    await Promise.all(running.map(({ begun }) => begun));
    const mark = process.cpuUsage();
    const startedMs = performance.now();
    await setTimeout(durationMs);
    const { user, system } = process.cpuUsage(mark);
    return ((user + system) / 1000 / (performance.now() - startedMs)) * 100;
  } finally {
    stop.abort();
    await Promise.all(running.map(({ ended }) => ended));
  }
}

interface Running {
  /** Rejects when it did not begin. */
  readonly begun: Promise<void>;
  readonly ended: Promise<unknown>;
}

function start(backend: Backend, signal: AbortSignal): Running {
  const begun = Promise.withResolvers<void>();
  const session = { onStart: () => begun.resolve(), onOutput: () => undefined };
  const directory = { mode: 'ephemeral', files: [], collect: [] } as const;
  const spec = { argv: ['sleep', '600'], directory, environment: {}, limits: defaultLimits, session } as const;
  const ended = toSandbox(backend)
    .run(spec, signal)
    .then((result) => begun.reject(new Error(`sleep ended: ${JSON.stringify(result)}`)), begun.reject);
  return { begun: begun.promise, ended };
}
