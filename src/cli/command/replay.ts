// `io-studio replay`: whether a recorded run still follows, step by step, with this version of the engine. Runs nothing.
import { homeOptions, parseOptions, parseRunId } from '../parse-options.ts';
import { toReplayLines } from '../replay-lines.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

export async function replayCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, homeOptions);
  const runId = parseRunId(positionals, 'replay');
  return withEngine(values.home, async (engine) => {
    const replay = await engine.replayRun(runId);
    writeLines(values.json ? [JSON.stringify(replay)] : toReplayLines(replay));
    return replay.divergence === null ? 0 : 1;
  });
}
