// The loop: fold, plan, perform, until the plan says stop. It knows no tool and no provider, and keeps no state of its own:
// killed at any line, the next driver goes on from what the journal holds.
import { EngineError } from '../../shared/engine-error.ts';
import type { EventPlace } from '../../shared/event.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import { rootAgentId } from '../../shared/id.ts';
import type { RunOutcome } from '../../shared/outcome.ts';
import { openBounds } from './bounds.ts';
import type { DriverPorts } from './driver-ports.ts';
import { type PerformableAction, perform } from './perform.ts';
import { plan } from './plan.ts';
import { recordProcesses } from './record-processes.ts';

/** The signal that asks the process to end; the run then stops where it stands and can be resumed. */
export type StopSignal = 'SIGINT' | 'SIGTERM';

/**
 * Drives a run to its outcome. `interrupt` aborts with a `StopSignal` as its reason. Throws only what leaves the run without
 * an outcome: a failing journal, or a lost lease.
 */
export async function driveRun(ports: DriverPorts, interrupt: AbortSignal): Promise<RunOutcome> {
  const { recorder, clock } = ports;
  const kindOf = (tool: string) => ports.tools.get(tool)?.kind ?? 'write';
  for (;;) {
    await recordProcesses(ports, toPlace(ports));
    recorder.catchUp();
    if (interrupt.aborted) return finish(ports, { kind: 'interrupted', signal: toStopSignal(interrupt.reason) });
    const actions = plan(recorder.state, { activeMs: clock.activeMs() }, kindOf);
    const stop = actions.find((action) => action.kind === 'stop');
    if (stop !== undefined) return finish(ports, stop.outcome);
    if (actions.length === 0) throw nothingToDo();
    for (const action of actions) {
      if (action.kind === 'stop' || (await performBounded(ports, action, interrupt)) === 'cut-off') break;
    }
  }
}

/**
 * Work is cut off by the process ending, a person cancelling, or the time budget; the last check only by the first two. What
 * was planned to come after it is not begun then.
 */
async function performBounded(
  ports: DriverPorts,
  action: PerformableAction,
  interrupt: AbortSignal,
): Promise<'done' | 'cut-off'> {
  const { settings, runId } = ports.recorder.state;
  const { durableSeq, isHeld } = ports.recorder;
  const { wallMs } = settings.budgets;
  const isUntimed = action.kind === 'check' || action.kind === 'await-answer';
  const leftMs = wallMs === null || isUntimed ? null : Math.max(0, wallMs - ports.clock.activeMs());
  using bounds = openBounds({ interrupt, leftMs, reader: ports.reader, runId, durableSeq, isHeld });
  await perform(ports, action, bounds.signal);
  if (!bounds.signal.aborted && ports.recorder.state.wishes.cancelledBy === null) return 'done';
  // A person's word is folded only behind what is durable, and what was cut off by it leaves nothing else to do next.
  await ports.recorder.commit();
  return 'cut-off';
}

/** What the run has kept going ends before it does: what they left is part of it. */
async function finish(ports: DriverPorts, outcome: RunOutcome): Promise<RunOutcome> {
  const { recorder, clock, processes } = ports;
  await processes[Symbol.asyncDispose]();
  await recordProcesses(ports, toPlace(ports));
  recorder.emit(toPlace(ports), { type: 'run-finish', outcome, activeMs: clock.activeMs() });
  await recorder.commit();
  return outcome;
}

function toPlace({ recorder }: DriverPorts): EventPlace {
  const { agentId, step } = agentOf(recorder.state, { agentId: rootAgentId });
  return { agentId, step };
}

const toStopSignal = (reason: unknown): StopSignal => (reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT');

const nothingToDo = (): EngineError =>
  new EngineError('internal', 'The run is not over, and there is nothing to do next.', {
    remedy: 'This is a fault of the engine: please report it with the trace of the run.',
  });
