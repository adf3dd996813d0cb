import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { type EngineProcess, keepEngineRunning } from './keep-engine-running.ts';

class FakeEngine extends EventEmitter implements EngineProcess {
  readonly stdout = new EventEmitter();
  readonly stderr = new EventEmitter();

  kill(): boolean {
    return this.emit('exit', 143);
  }
}

/** Plays one life per entry: how long the engine runs before it ends with code 1. After the last it is closed. */
async function play(livesMs: readonly number[]) {
  const controller = new AbortController();
  const delaysMs: number[] = [];
  const printed: (string | Uint8Array)[] = [];
  let clockMs = 0;
  let forks = 0;
  const ending = await keepEngineRunning({
    fork: () => {
      const engine = new FakeEngine();
      const lifeMs = livesMs[forks];
      forks += 1;
      queueMicrotask(() => {
        engine.stderr.emit('data', `life ${forks}\n`);
        clockMs += lifeMs ?? 0;
        if (lifeMs === undefined) controller.abort();
        else engine.emit('exit', 1);
      });
      return engine;
    },
    now: () => clockMs,
    wait: async (delayMs) => void delaysMs.push(delayMs),
    log: (text) => void printed.push(text),
    signal: controller.signal,
  });
  return { ending, forks, delaysMs, printed };
}

describe('keepEngineRunning', () => {
  it('kills the engine and stops when it is closed', async () => {
    expect(await play([])).toEqual({ ending: 'closed', forks: 1, delaysMs: [], printed: ['life 1\n'] });
  });

  it('forks a new engine after each end, and waits twice as long each time', async () => {
    expect(await play([10, 10])).toEqual({
      ending: 'closed',
      forks: 3,
      delaysMs: [500, 1000],
      printed: ['life 1\n', 'engine ended with code 1\n', 'life 2\n', 'engine ended with code 1\n', 'life 3\n'],
    });
  });

  it('gives up on an engine that ends five times in a row', async () => {
    expect(await play([10, 10, 10, 10, 10, 10])).toMatchObject({
      ending: 'given-up',
      forks: 5,
      delaysMs: [500, 1000, 2000, 4000],
    });
  });

  it('counts from the beginning after an engine that ran soundly', async () => {
    expect(await play([10, 10, 10, 60_000, 10])).toMatchObject({
      ending: 'closed',
      forks: 6,
      delaysMs: [500, 1000, 2000, 500, 1000],
    });
  });

  it('forks nothing when it is closed before it starts', async () => {
    const fork = (): EngineProcess => {
      throw new Error('must not be called');
    };
    const options = { fork, now: () => 0, wait: async () => {}, log: () => {}, signal: AbortSignal.abort() };
    expect(await keepEngineRunning(options)).toBe('closed');
  });
});
