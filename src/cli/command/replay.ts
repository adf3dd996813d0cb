// `io-studio replay`: whether a recorded run still follows, step by step, with this version of the engine. Runs nothing, but
// with --execute, which runs tools and checks again in a copy of the workspace that is gone afterwards.
import { isEngineError, type Replay } from '../../engine/index.ts';
import { homeOptions, parseOptions, parseRunId } from '../parse-options.ts';
import { toReplayLines } from '../replay-lines.ts';
import { untilStopped } from '../until-stopped.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = { ...homeOptions, execute: { type: 'boolean', default: false } } as const;

export async function replayCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const runId = parseRunId(positionals, 'replay');
  const mode = values.execute ? 'execute' : 'derive';
  return withEngine(values.home, async (engine) => {
    let exitCode = 0;
    const stopped = await untilStopped(async (signal) => {
      const replay = await engine.replayRun(runId, { mode, signal }).catch(orStopped(signal));
      if (replay === null) return;
      writeLines(values.json ? [JSON.stringify(replay)] : toReplayLines(replay));
      exitCode = replay.divergence === null ? 0 : 1;
    });
    return stopped === 0 ? exitCode : stopped;
  });
}

/** Whoever stopped it knows that nothing came of it. */
const orStopped =
  (signal: AbortSignal) =>
  (error: unknown): Replay | null => {
    if (signal.aborted && isEngineError(error) && error.code === 'closed') return null;
    throw error;
  };
