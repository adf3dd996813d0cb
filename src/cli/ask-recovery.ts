// What a person may say of a call that a crash interrupted. Nothing is repeated and nothing taken for done without a typed word:
// an empty line asks again, and the end of the input leaves the question to others.
import type { RecoverParams, RecoveryRequest } from '../engine/index.ts';
import { isEngineError } from '../shared/engine-error.ts';
import { toVisible } from '../shared/to-visible.ts';
import { readResult } from './read-result.ts';
import type { Terminal, Typed } from './terminal.ts';

export interface RecoveryQuestion {
  readonly terminal: Terminal;
  readonly recovery: RecoveryRequest;
  /** Takes the question back. */
  readonly signal: AbortSignal;
}

/** A decision as it goes to the engine; null: the question was taken back. */
export type PersonRecovery = Pick<RecoverParams, 'decision' | 'result' | 'reason'> | null;

/** Asks until there is a decision. */
export async function askRecovery(question: RecoveryQuestion): Promise<PersonRecovery> {
  const { tool, target } = question.recovery;
  for (;;) {
    const head = toVisible(`${tool} ${target}`.trimEnd());
    const typed = await ask(question, `${head}\n[r]etry [c]ompleted [a]bort [d]efer: `);
    if (typed.kind !== 'line') return toUndecided(typed);
    const decision = await toDecision(question, typed.text.trim().toLowerCase());
    if (decision !== 'again') return decision;
  }
}

/** No decision at all is never one: with the input at its end the question waits for somebody else. */
export const toUndecided = ({ kind }: Exclude<Typed, { kind: 'line' }>): PersonRecovery =>
  kind === 'end' ? { decision: 'defer' } : null;

const ask = ({ terminal, signal }: RecoveryQuestion, prompt: string): Promise<Typed> =>
  terminal.question(prompt, signal);

async function toDecision(question: RecoveryQuestion, letter: string): Promise<PersonRecovery | 'again'> {
  switch (letter) {
    case 'r':
    case 'retry':
      return { decision: 'retry' };
    case 'c':
    case 'completed':
      return askResult(question);
    case 'a':
    case 'abort':
      return askReason(question);
    case 'd':
    case 'defer':
      return { decision: 'defer' };
    default:
      return 'again';
  }
}

async function askResult(question: RecoveryQuestion): Promise<PersonRecovery | 'again'> {
  const typed = await ask(question, 'what it came to, for the model (a line, or @FILE; Enter goes back): ');
  if (typed.kind !== 'line') return toUndecided(typed);
  const text = typed.text.trim();
  if (text === '') return 'again';
  if (!text.startsWith('@')) return { decision: 'completed', result: text };
  try {
    return { decision: 'completed', result: readResult(text.slice(1)) };
  } catch (error) {
    if (!isEngineError(error)) throw error;
    question.terminal.write(`${toVisible(error.message)}\n${error.remedy}\n`);
    return 'again';
  }
}

async function askReason(question: RecoveryQuestion): Promise<PersonRecovery> {
  const typed = await ask(question, 'why not, for the model (Enter for no reason): ');
  if (typed.kind !== 'line') return toUndecided(typed);
  const reason = typed.text.trim();
  return reason === '' ? { decision: 'abort' } : { decision: 'abort', reason };
}
