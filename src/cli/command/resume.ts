// `io-studio resume RUN`: the same loop, started from a longer journal.
import { follow } from '../follow.ts';
import { driveOptions, parseOptions, parseRunId, toRunSettings } from '../parse-options.ts';
import { withEngine } from '../with-engine.ts';

export async function resumeCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, driveOptions);
  const runId = parseRunId(positionals, 'resume');
  return withEngine(values.home, async (engine) => {
    const handle = await engine.resumeRun(runId, toRunSettings(values));
    return await follow(engine, handle, values);
  });
}
