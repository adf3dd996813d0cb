// Keeps one engine process alive: forks it, drains it, and forks it again after it ended, each time after a longer pause.
// An engine that keeps ending at once is given up, so that a broken installation does not spin for ever.

/** The part of Electron's `UtilityProcess` that is used here. */
export interface EngineProcess {
  readonly stdout: EngineOutput | null;
  readonly stderr: EngineOutput | null;
  on(event: 'exit', listener: (code: number) => void): unknown;
  kill(): boolean;
}

interface EngineOutput {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
}

export interface KeepEngineRunningOptions {
  readonly fork: () => EngineProcess;
  readonly now: () => number;
  /** Resolves after the delay, or at once when the signal aborts. */
  readonly wait: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** Takes what the engine prints and what happens to it. */
  readonly log: (text: Uint8Array | string) => void;
  /** Ends the engine and this loop. */
  readonly signal: AbortSignal;
}

const maxFailuresInRow = 5;
const firstDelayMs = 500;
/** An engine that ran this long was sound: the next failure counts as the first. */
const soundAfterMs = 60_000;

export async function keepEngineRunning(options: KeepEngineRunningOptions): Promise<'closed' | 'given-up'> {
  const { fork, now, wait, log, signal } = options;
  let failures = 0;
  while (!signal.aborted) {
    const startedAt = now();
    const code = await runEngine(fork(), log, signal);
    if (signal.aborted) break;
    failures = now() - startedAt >= soundAfterMs ? 1 : failures + 1;
    log(`engine ended with code ${code}\n`);
    if (failures === maxFailuresInRow) return 'given-up';
    await wait(firstDelayMs * 2 ** (failures - 1), signal);
  }
  return 'closed';
}

/** The exit code of the process. A pipe that nobody reads would block it, so both are read whatever they carry. */
async function runEngine(
  engine: EngineProcess,
  log: KeepEngineRunningOptions['log'],
  signal: AbortSignal,
): Promise<number> {
  const kill = (): void => void engine.kill();
  signal.addEventListener('abort', kill);
  engine.stdout?.on('data', log);
  engine.stderr?.on('data', log);
  try {
    return await new Promise((resolve) => engine.on('exit', resolve));
  } finally {
    signal.removeEventListener('abort', kill);
  }
}
