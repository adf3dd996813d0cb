// `io-studio explain`: what would be decided about an act, by what, and what would change it. Asks nobody and does nothing.
import { resolve } from 'node:path';
import type { ExplainParams } from '../../engine/index.ts';
import { ActKind } from '../../shared/act.ts';
import { toExplanationLines } from '../explanation-lines.ts';
import { homeOptions, parseOptions, usage } from '../parse-options.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = { ...homeOptions, policy: { type: 'string' }, workspace: { type: 'string' } } as const;

export async function explainCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const act = parseAct(positionals);
  const policyFile = values.policy === undefined ? undefined : resolve(values.policy);
  const workspace = resolve(values.workspace ?? '.');
  return withEngine(values.home, async (engine) => {
    const explanation = await engine.explain({ act, workspace, policyFile });
    writeLines(values.json ? [JSON.stringify(explanation)] : toExplanationLines(explanation));
    return 0;
  });
}

function parseAct([word, target, ...more]: readonly string[]): ExplainParams['act'] {
  const kind = ActKind.safeParse(word);
  if (!kind.success || target === undefined)
    throw usage(`"io-studio explain" takes one of ${ActKind.options.join(', ')}, and a target.`);
  if (more.length > 0) throw usage('The target is one argument: put quotes around it.');
  return kind.data === 'exec' ? { kind: 'exec', line: target } : { kind: kind.data, target };
}
