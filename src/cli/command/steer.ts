// `io-studio steer RUN TEXT`: tells an agent something while it works, or before it goes on.
import { parseOptions, parseRunId, usage } from '../parse-options.ts';
import { agentOptions, sayToRun } from '../say-to-run.ts';

export async function steerCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, agentOptions);
  const [run, text, ...more] = positionals;
  if (run === undefined || text === undefined || more.length > 0) {
    throw usage('"io-studio steer" takes a run id and one text, in quotes.');
  }
  const { home, json, agent: agentId = null } = values;
  const runId = parseRunId([run], 'steer');
  return sayToRun({
    ...{ runId, agentId, home, json },
    say: (engine, actor) => engine.steerAgent(runId, agentId, text, actor),
    told: 'is shown that before its next request',
  });
}
