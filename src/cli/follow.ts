// Shows a run while it happens and returns its exit code. A first signal asks the run to stop where it stands; a second one
// ends the process at once, which the journal survives too.
import type { Engine, RunHandle } from '../engine/index.ts';
import { createJsonLines } from './json-lines.ts';
import { createProgress } from './progress.ts';
import { writeFailure } from './write-failure.ts';
import { writeVerdict } from './write-verdict.ts';

export interface FollowOptions {
  readonly json: boolean;
  readonly deltas: boolean;
}

export async function follow(engine: Engine, handle: RunHandle, options: FollowOptions): Promise<number> {
  const write = (text: string) => void process.stdout.write(text);
  const view = options.json ? createJsonLines(write, options.deltas) : createProgress(write, engine.readRun);
  const stopListening = listenForSignals(handle);
  const stopLive = handle.onLive(view.live);
  try {
    for await (const events of handle.events()) events.forEach(view.event);
    const result = await handle.result;
    await view.result(result);
    if (options.json && result.exitCode !== 0) await writeVerdict(engine, result);
    return result.exitCode;
  } catch (error) {
    return writeFailure(error, { json: options.json, runId: handle.runId });
  } finally {
    stopLive();
    stopListening();
  }
}

function listenForSignals(handle: RunHandle): () => void {
  let asked = false;
  const listen = (signal: 'SIGINT' | 'SIGTERM', code: number) => {
    const onSignal = () => {
      if (asked) process.exit(code);
      asked = true;
      process.stderr.write(`io-studio: stopping; "io-studio resume ${handle.runId}" goes on from here\n`);
      handle.interrupt(signal);
    };
    process.on(signal, onSignal);
    return () => void process.off(signal, onSignal);
  };
  const stops = [listen('SIGINT', 130), listen('SIGTERM', 143)];
  return () => {
    for (const stop of stops) stop();
  };
}
