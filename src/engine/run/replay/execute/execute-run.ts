// A replay that also runs again what the run has run, in a scratch copy of the workspace as it was at its beginning. The
// workspace itself is only copied, nothing is journaled, and the copy is gone on every path.
import { EngineError } from '../../../../shared/engine-error.ts';
import type { EventOf } from '../../../../shared/event.ts';
import { rootAgentId } from '../../../../shared/id.ts';
import type { RunState } from '../../../../shared/run-state.ts';
import type { Stance } from '../../../policy/policy.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { createProcesses } from '../../../tool/process/processes.ts';
import type { Replay } from '../../engine.ts';
import { createRunClock, systemClock } from '../../run-clock.ts';
import { createTranscript } from '../../transcript.ts';
import { type ReplayOptions, replayRun } from '../replay-run.ts';
import { createExecutionTally } from './execution-tally.ts';
import { Executor } from './executor.ts';
import { openScratch } from './open-scratch.ts';
import type { ScratchPaths } from './scratch-paths.ts';
import { openScratchDriver, withoutNetwork } from './scratch-ports.ts';

export interface ExecuteOptions extends ReplayOptions {
  readonly home: string;
  /** Encloses what is run, or runs nothing. */
  readonly sandbox: Sandbox;
  /** The run as it stands now. */
  readonly original: RunState;
  readonly signal: AbortSignal;
}

/** Throws what `openScratch` throws; rejects with `closed` when `signal` aborts. */
export async function executeRun(options: ExecuteOptions): Promise<Replay> {
  const { home, reader, original, signal } = options;
  const sandbox = withoutNetwork(options.sandbox);
  const start = readStart(options);
  const toStance = (paths: ScratchPaths, state: RunState): Stance => {
    const driver = openScratchDriver({ ...options, sandbox }, paths, start, null);
    return { ...driver.stanceOf(state, { agentId: rootAgentId }), isTainted: false };
  };
  await using scratch = await openScratch({ home, reader, sandbox, original, toStance, signal });
  await using processes = createProcesses();
  const transcript = createTranscript(reader);
  const clock = createRunClock(systemClock, 0);
  const tally = createExecutionTally();
  const executor = new Executor({ ...options, sandbox, scratch, transcript, processes, clock }, tally);
  const replay = await replayRun(options, (followed) => executor.follow(followed));
  return { ...replay, execution: tally.toExecution(scratch) };
}

function readStart({ reader, runId }: ExecuteOptions): EventOf<'run-start'> {
  const [event] = reader.readEvents(runId, 0, 1);
  if (event?.type === 'run-start') return event;
  throw new EngineError('store-damaged', `The journal of run ${runId} does not begin with its start.`, {
    remedy: `Look it over with "io-studio store verify ${runId}".`,
  });
}
