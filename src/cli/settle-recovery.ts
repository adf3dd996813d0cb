// One interrupted call from its first line to the journal: shown to its end, asked about, and handed to the engine, whose word
// is final.
import type { Recovered, RecoverParams } from '../engine/index.ts';
import { isEngineError } from '../shared/engine-error.ts';
import { toVisible } from '../shared/to-visible.ts';
import { askRecovery, type PersonRecovery, type RecoveryQuestion, toUndecided } from './ask-recovery.ts';
import { toDecisionLines, toRecoveryLines } from './recovery-lines.ts';
import { showPages } from './show-pages.ts';

export interface SettleRecoveryOptions {
  readonly recover: (params: RecoverParams) => Promise<Recovered>;
  readonly actor: string;
}

/** `settled`: there is nothing more to ask here, whoever decided. Rejects when the engine cannot go on. */
export async function settleRecovery(
  question: RecoveryQuestion,
  { recover, actor }: SettleRecoveryOptions,
): Promise<'settled' | 'withdrawn'> {
  const { terminal, recovery } = question;
  const decision = await showAndAsk(question);
  if (decision === null) return 'withdrawn';
  const lines = await recover({ request: recovery.request, actor, ...decision }).then(toDecisionLines, toRefusal);
  terminal.write(lines.map((line) => `${line}\n`).join(''));
  return 'settled';
}

async function showAndAsk(question: RecoveryQuestion): Promise<PersonRecovery> {
  const { terminal, recovery, signal } = question;
  const end = await showPages(terminal, toRecoveryLines(recovery), { signal, stops: 'defer' });
  switch (end.kind) {
    case 'shown':
      return askRecovery(question);
    case 'stopped':
      return { decision: 'defer' };
    case 'end':
    case 'withdrawn':
      return toUndecided(end);
  }
}

/** Why a decision does not count. Throws what has nothing to do with it. */
function toRefusal(error: unknown): string[] {
  if (!isEngineError(error) || !refusals.has(error.code)) throw error;
  return [toVisible(error.message), toVisible(error.remedy)];
}

const refusals: ReadonlySet<string> = new Set(['recovery-answered', 'recovery-unknown', 'decision-refused']);
