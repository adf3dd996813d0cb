// `io-studio resume RUN`: the same loop, started from a longer journal.
import { toAskHere } from '../ask-here.ts';
import { follow } from '../follow.ts';
import { driveOptions, parseOptions, parseRunId, toRunSettings } from '../parse-options.ts';
import { withEngine } from '../with-engine.ts';

export async function resumeCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, driveOptions);
  const runId = parseRunId(positionals, 'resume');
  const given = toRunSettings(values);
  return withEngine(values.home, async (engine) => {
    let asksHere = false;
    const handle = await engine.resumeRun(runId, (before) => {
      const chosen = toAskHere({ settings: given, json: values.json, before: before.settings.posture });
      asksHere = chosen.asksHere;
      return chosen.settings;
    });
    return await follow(engine, handle, { ...values, asksHere });
  });
}
