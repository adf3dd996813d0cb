// `io-studio simulate`: what another policy would have decided in a run, from its journal alone.
import { resolve } from 'node:path';
import { homeOptions, parseOptions, parseRunId, usage } from '../parse-options.ts';
import { toSimulationLines } from '../simulation-lines.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = { ...homeOptions, policy: { type: 'string' } } as const;

export async function simulateCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const runId = parseRunId(positionals, 'simulate');
  const { policy } = values;
  if (policy === undefined) throw usage('"io-studio simulate" takes the policy to try with --policy FILE.');
  return withEngine(values.home, async (engine) => {
    const simulation = await engine.simulate(runId, resolve(policy));
    writeLines(values.json ? [JSON.stringify(simulation)] : toSimulationLines(simulation));
    return 0;
  });
}
