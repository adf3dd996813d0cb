// `io-studio store adopt RUN`: takes an imported run as one's own, and says what resuming it will do.
import { resolve } from 'node:path';
import type { AdoptedRun } from '../../engine/index.ts';
import { toVisible } from '../../shared/to-visible.ts';
import { counted } from '../counted.ts';
import { homeOptions, parseOptions, parseRunId, usage } from '../parse-options.ts';
import { toActor } from '../to-actor.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = {
  ...homeOptions,
  workspace: { type: 'string' },
  'shared-home': { type: 'boolean', default: false },
} as const;

export async function storeAdoptCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const runId = parseRunId(positionals, 'store adopt');
  const { workspace } = values;
  if (workspace === undefined) throw usage('"io-studio store adopt" takes --workspace DIR: where the run is to go on.');
  return withEngine(values.home, async (engine) => {
    const adopted = await engine.store.adoptRun({
      runId,
      workspace: resolve(workspace),
      actor: toActor(),
      ...(values['shared-home'] ? { sharedHome: 'allow' } : {}),
    });
    writeLines(values.json ? [JSON.stringify(adopted)] : toLines(adopted));
    return 0;
  });
}

function toLines({ runId, workspace, goal, check, unknownCalls }: AdoptedRun): string[] {
  const lines = (text: string) => text.split('\n').map((line) => `  ${toVisible(line)}`);
  return [
    `${runId} goes on in ${toVisible(workspace)}, without any permission or answer that was given elsewhere.`,
    'Its goal, which somebody else wrote:',
    ...lines(goal),
    'Its check, which is carried out here:',
    ...lines(check),
    ...(unknownCalls === 0 ? [] : [`Of ${counted(unknownCalls, 'call')} nobody can know what became of it.`]),
    `"io-studio resume ${runId}" goes on with it.`,
  ];
}
