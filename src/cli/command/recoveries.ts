// `io-studio recoveries`: the calls of this home that a crash interrupted and of which a person is to say what became.
import { homeOptions, parseOptions, parseRunId, usage } from '../parse-options.ts';
import { toRecoveryLines } from '../recovery-lines.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = { ...homeOptions, run: { type: 'string' } } as const;

export async function recoveriesCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  if (positionals.length > 0) throw usage('"io-studio recoveries" takes no argument; --run RUN for those of one run.');
  const runId = values.run === undefined ? undefined : parseRunId([values.run], 'recoveries --run');
  return withEngine(values.home, async (engine) => {
    if (runId !== undefined) await engine.readRun(runId); // A run that nobody knows has none, and that is no answer.
    const waiting = await engine.listRecoveries(runId);
    if (values.json) writeLines(waiting.map((recovery) => JSON.stringify(recovery)));
    else if (waiting.length === 0) writeLines(['No interrupted call waits for a decision.']);
    else writeLines(waiting.flatMap((recovery) => [...toRecoveryLines(recovery), '']));
    return 0;
  });
}
