// `io-studio cancel RUN`: ends a run, or one agent of it with all that work for it, for good.
import { parseAddressee, sayToRun } from '../say-to-run.ts';

export async function cancelCommand(args: string[]): Promise<number> {
  const { runId, agentId, home, json } = parseAddressee(args, 'cancel');
  return sayToRun({
    ...{ runId, agentId, home, json },
    say: (engine, actor) => engine.cancelRun(runId, actor, agentId),
    told: 'is cancelled: no further request leaves, and what it runs is ended',
  });
}
