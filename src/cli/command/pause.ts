// `io-studio pause RUN`: lets a run, or one agent of it with all that work for it, begin nothing any more for now.
import { parseAddressee, sayToRun } from '../say-to-run.ts';

export async function pauseCommand(args: string[]): Promise<number> {
  const { runId, agentId, home, json } = parseAddressee(args, 'pause');
  const goOn = agentId === null ? `"io-studio resume ${runId}"` : `"io-studio unpause ${runId} --agent ${agentId}"`;
  return sayToRun({
    ...{ runId, agentId, home, json },
    say: (engine, actor) => engine.pauseRun(runId, agentId, actor),
    told: `is paused as soon as what is under way is over; ${goOn} lets it go on`,
  });
}
