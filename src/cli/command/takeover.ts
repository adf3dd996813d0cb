// `io-studio takeover RUN`: a person's word that the driver of a run, which cannot be seen from here, is gone.
import type { TakenOver } from '../../engine/index.ts';
import { toVisible } from '../../shared/to-visible.ts';
import { homeOptions, parseOptions, parseRunId } from '../parse-options.ts';
import { toActor } from '../to-actor.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

export async function takeoverCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, homeOptions);
  const runId = parseRunId(positionals, 'takeover');
  return withEngine(values.home, async (engine) => {
    const taken = await engine.takeOverRun(runId, toActor());
    writeLines(values.json ? [JSON.stringify(taken)] : toLines(taken));
    return 0;
  });
}

function toLines({ runId, from }: TakenOver): string[] {
  if (from === null)
    return [`Nobody drives run ${runId}, so nothing was taken. "io-studio trace ${runId}" tells how it stands.`];
  const before = `process ${from.pid} of machine ${toVisible(from.machine)}`;
  return [`Run ${runId} is no longer that of ${before}. "io-studio resume ${runId}" goes on with it.`];
}
