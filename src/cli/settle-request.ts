// One question from its first line to the journal: shown to its end, asked, and handed to the engine, whose word is final.
import type { Decided, DecideParams } from '../engine/index.ts';
import { type EngineError, isEngineError } from '../shared/engine-error.ts';
import { toVisible } from '../shared/to-visible.ts';
import { askPerson, askReason, type PersonAnswer, type Question, toUnanswered } from './ask-person.ts';
import { toDecidedLines } from './decided-lines.ts';
import { toRequestLines } from './request-lines.ts';
import { showPages } from './show-pages.ts';

export interface SettleOptions {
  readonly decide: (params: DecideParams) => Promise<Decided>;
  readonly actor: string;
}

/** `settled`: there is nothing more to ask here, whoever answered. Rejects when the engine cannot go on. */
export async function settleRequest(question: Question, options: SettleOptions): Promise<'settled' | 'withdrawn'> {
  let answer = await showAndAsk(question);
  while (answer !== null) {
    if ((await decide(question, options, answer)) === 'settled') return 'settled';
    answer = await askPerson(question);
  }
  return 'withdrawn';
}

async function showAndAsk(question: Question): Promise<PersonAnswer> {
  const { terminal, request, signal } = question;
  const end = await showPages(terminal, toRequestLines(request), { signal, stops: 'deny-or-defer' });
  switch (end.kind) {
    case 'shown':
      return askPerson(question);
    case 'stopped':
      return end.wish === 'deny' ? askReason(question) : { decision: 'defer' };
    case 'end':
    case 'withdrawn':
      return toUnanswered(end);
  }
}

async function decide(
  { terminal, request: { request, digest } }: Question,
  { decide, actor }: SettleOptions,
  answer: NonNullable<PersonAnswer>,
): Promise<'settled' | 'again'> {
  try {
    const decided = await decide({ request, actor, digest, ...answer });
    terminal.write(
      toDecidedLines(decided)
        .map((line) => `${line}\n`)
        .join(''),
    );
    return 'settled';
  } catch (error) {
    if (!isEngineError(error)) throw error;
    const next = toNext(error);
    terminal.write(`${toVisible(error.message)}\n${toVisible(error.remedy)}\n`);
    return next;
  }
}

/** What a refused answer means for the question. Throws what has nothing to do with the answer. */
function toNext(error: EngineError): 'settled' | 'again' {
  switch (error.code) {
    case 'rewrite-invalid':
    case 'remember-refused':
      return 'again';
    case 'approval-answered':
    case 'approval-changed':
    case 'approval-unknown':
    case 'decision-refused':
      return 'settled';
    default:
      throw error;
  }
}
