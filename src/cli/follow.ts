// Shows a run while it happens, asks what it asks, and returns its exit code. A first signal asks the run to stop where it
// stands; a second one ends the process at once, which the journal survives too.
import type { Engine, RunHandle } from '../engine/index.ts';
import { toVisible } from '../shared/to-visible.ts';
import { createHeldOutput, type HeldOutput } from './held-output.ts';
import { createJsonLines } from './json-lines.ts';
import { createProgress } from './progress.ts';
import { openTerminal } from './terminal.ts';
import { createTerminalApprover, type TerminalApprover } from './terminal-approver.ts';
import { toActor } from './to-actor.ts';
import { writeFailure } from './write-failure.ts';
import { writeVerdict } from './write-verdict.ts';

export interface FollowOptions {
  readonly json: boolean;
  readonly deltas: boolean;
  /** Whether the person at this terminal is asked. */
  readonly asksHere: boolean;
}

export async function follow(engine: Engine, handle: RunHandle, options: FollowOptions): Promise<number> {
  using resources = new DisposableStack();
  warnOfQuota(engine);
  const output = createHeldOutput((text) => void process.stdout.write(text));
  const view = options.json
    ? createJsonLines(output.write, options.deltas)
    : createProgress(output.write, engine.readRun);
  resources.defer(listenForSignals(handle));
  resources.defer(handle.onLive(view.live));
  const approver = options.asksHere ? openApprover(engine, handle, output, resources) : null;
  try {
    for await (const events of handle.events()) {
      for (const event of events) {
        view.event(event);
        approver?.event(event);
      }
    }
    const result = await handle.result;
    approver?.close();
    await approver?.done;
    await view.result(result);
    if (options.json && result.exitCode !== 0) await writeVerdict(engine, result);
    return result.exitCode;
  } catch (error) {
    return writeFailure(error, { json: options.json, runId: handle.runId });
  }
}

function warnOfQuota({ store }: Engine): void {
  const warning = store.findQuotaWarning();
  if (warning !== null) process.stderr.write(`io-studio: ${toVisible(warning)}\n`);
}

/** A run that waits for answers would wait for ever when nobody can be asked any more: then it is stopped. */
function openApprover(
  engine: Engine,
  handle: RunHandle,
  output: HeldOutput,
  resources: DisposableStack,
): TerminalApprover {
  const terminal = resources.use(openTerminal(process.stdin, process.stdout));
  const approver = createTerminalApprover({ engine, runId: handle.runId, terminal, output, actor: toActor() });
  approver.done.catch(() => handle.interrupt('SIGTERM'));
  resources.defer(approver.close);
  return approver;
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
