// Runs one command in a sandbox as the engine does, and takes the time at each point where backend and supervisor meet.
import type { Backend, Launch } from '../../src/engine/sandbox/launch.ts';
import type { SandboxResult, SandboxSpec } from '../../src/engine/sandbox/sandbox.ts';
import { toSandbox } from '../../src/engine/sandbox/to-sandbox.ts';

/** Instants by `performance.now()`, in their order. */
export interface Instants {
  readonly asked: number;
  /** The backend had made everything ready. */
  readonly prepared: number;
  /** The first program had been started. */
  readonly started: number;
  /** The launcher had mounted what it has to; NaN where none says so. */
  readonly mounted: number;
  readonly begun: number;
  /** Nothing of the command ran any more. NaN like the next one for a command that was ended from here. */
  readonly ended: number;
  readonly collected: number;
  /** The same, however it ended: from here on the launch was disposed of. */
  readonly gone: number;
  readonly answered: number;
}

export interface TimedLaunch {
  readonly result: Exclude<SandboxResult, { kind: 'not-started' }>;
  readonly at: Instants;
}

/** Throws for a command that did not start. */
export async function timeLaunch(
  backend: Backend,
  spec: SandboxSpec,
  signal: AbortSignal = new AbortController().signal,
): Promise<TimedLaunch> {
  const at = new Map<keyof Instants, number>();
  // What happens twice counts the first time: a launch may be disposed of again.
  const mark = (name: keyof Instants): void => {
    if (!at.has(name)) at.set(name, performance.now());
  };
  const sandbox = toSandbox({
    isolation: backend.isolation,
    async prepare(...asked) {
      const launch = await backend.prepare(...asked);
      mark('prepared');
      return launch.kind === 'launch' ? toMarked(launch, mark) : launch;
    },
  });
  mark('asked');
  const result = await sandbox.run(spec, signal);
  mark('answered');
  if (result.kind === 'not-started') throw new Error(`${result.program} did not start: ${result.reason}`);
  return { result, at: toInstants(at) };
}

function toMarked(launch: Launch, mark: (name: keyof Instants) => void): Launch {
  return {
    ...launch,
    async begin(child, signal) {
      mark('started');
      const [status] = child.channels;
      status?.once('data', () => mark('mounted'));
      const begun = await launch.begin(child, signal);
      mark('begun');
      return begun;
    },
    async readLeavings() {
      mark('ended');
      const leavings = await launch.readLeavings();
      mark('collected');
      return leavings;
    },
    async [Symbol.asyncDispose]() {
      mark('gone');
      await launch[Symbol.asyncDispose]();
    },
  };
}

function toInstants(at: ReadonlyMap<keyof Instants, number>): Instants {
  const read = (name: keyof Instants): number => at.get(name) ?? Number.NaN;
  return {
    asked: read('asked'),
    prepared: read('prepared'),
    started: read('started'),
    mounted: read('mounted'),
    begun: read('begun'),
    ended: read('ended'),
    collected: read('collected'),
    gone: read('gone'),
    answered: read('answered'),
  };
}
