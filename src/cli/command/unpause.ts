// `io-studio unpause RUN --agent A`: takes back the pause of one agent.
import { usage } from '../parse-options.ts';
import { parseAddressee, sayToRun } from '../say-to-run.ts';

export async function unpauseCommand(args: string[]): Promise<number> {
  const { runId, agentId, home, json } = parseAddressee(args, 'unpause');
  if (agentId === null) {
    throw usage('"io-studio unpause" takes --agent; a run that was paused as a whole goes on with "io-studio resume".');
  }
  return sayToRun({
    ...{ runId, agentId, home, json },
    say: (engine, actor) => engine.unpauseAgent(runId, agentId, actor),
    told: 'is not paused any more',
  });
}
