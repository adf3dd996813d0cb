// `io-studio recover`: decides about one call that a crash interrupted, from whichever process.
import { readFileSync } from 'node:fs';
import { EngineError, type RecoverParams } from '../../engine/index.ts';
import { RecoveryChoice } from '../../shared/recovery.ts';
import { findRecovery } from '../find-recovery.ts';
import { homeOptions, parseOptions, usage } from '../parse-options.ts';
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
  const told = file === undefined ? result : readResult(file);
  return { text, decided: { decision: decision.data, result: told, reason } };
}

/** `-` is standard input. */
function readResult(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError('usage', `The result cannot be read from ${file}: ${why}`, {
      remedy: 'Name a readable file, or - for standard input.',
      cause,
    });
  }
}
