// `io-studio recover`: decides about one call that a crash interrupted, from whichever process.
import type { RecoverParams } from '../../engine/index.ts';
import { RecoveryChoice } from '../../shared/recovery.ts';
import { findRecovery } from '../find-recovery.ts';
import { homeOptions, parseOptions, usage } from '../parse-options.ts';
import { readResult } from '../read-result.ts';
import { toRecoveredLines } from '../recovery-lines.ts';
import { toActor } from '../to-actor.ts';
import { withEngine } from '../with-engine.ts';
import { writeLines } from '../write-lines.ts';

const options = {
  ...homeOptions,
  result: { type: 'string' },
  'result-file': { type: 'string' },
  reason: { type: 'string' },
} as const;

type Values = ReturnType<typeof parseOptions<typeof options>>['values'];

export async function recoverCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseOptions(args, options);
  const { text, decided } = parseDecision(positionals, values);
  return withEngine(values.home, async (engine) => {
    const { request } = await findRecovery(engine, text);
    const recovered = await engine.recover({ request, actor: toActor(), ...decided });
    writeLines(values.json ? [JSON.stringify(recovered)] : toRecoveredLines(recovered));
    return 0;
  });
}

type Decided = Pick<RecoverParams, 'decision' | 'result' | 'reason'>;

function parseDecision(positionals: readonly string[], values: Values): { text: string; decided: Decided } {
  const [text, choice, ...more] = positionals;
  const decision = RecoveryChoice.safeParse(choice);
  if (text === undefined || !decision.success || more.length > 0)
    throw usage(`"io-studio recover" takes an interrupted call and one of ${RecoveryChoice.options.join(', ')}.`);
  const { result, 'result-file': file, reason } = values;
  const isCompleted = decision.data === 'completed';
  if (isCompleted && (result === undefined) === (file === undefined))
    throw usage('completed takes what the call came to: either --result TEXT or --result-file FILE.');
  if (!isCompleted && (result !== undefined || file !== undefined))
    throw usage('--result and --result-file go with completed alone.');
  const told = file === undefined ? result : readResult(file === '-' ? 0 : file);
  return { text, decided: { decision: decision.data, result: told, reason } };
}
