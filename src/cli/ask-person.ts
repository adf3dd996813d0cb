// What a person may say to a request that they were shown to its end. Only a typed yes is a yes: an empty line asks again,
// and the end of the input puts the question off.
import type { ApprovalRequest, DecideParams } from '../engine/index.ts';
import { RememberScope, type RulePreview } from '../shared/approval.ts';
import { isEngineError } from '../shared/engine-error.ts';
import { toVisible } from '../shared/to-visible.ts';
import { counted } from './counted.ts';
import { readRewrite } from './read-rewrite.ts';
import type { Terminal, Typed } from './terminal.ts';

export interface Question {
  readonly terminal: Terminal;
  readonly request: ApprovalRequest;
  /** What a rule would have meant so far. */
  readonly preview: (remember: NonNullable<DecideParams['remember']>) => Promise<RulePreview>;
  /** Takes the question back. */
  readonly signal: AbortSignal;
}

/** An answer as it goes to the engine; null: the question was taken back. */
export type PersonAnswer = Pick<DecideParams, 'decision' | 'reason' | 'rewrite' | 'remember'> | null;

/** Asks until there is an answer. */
export async function askPerson(question: Question): Promise<PersonAnswer> {
  for (;;) {
    const typed = await ask(question, toPrompt(question.request));
    if (typed.kind !== 'line') return toUnanswered(typed);
    const answer = await toAnswer(question, typed.text.trim().toLowerCase());
    if (answer !== 'again') return answer;
  }
}

/** Asks why not; a denial needs no reason. */
export async function askReason(question: Question): Promise<PersonAnswer> {
  const typed = await ask(question, 'why not, for the model (Enter for no reason): ');
  if (typed.kind !== 'line') return toUnanswered(typed);
  const reason = typed.text.trim();
  return reason === '' ? { decision: 'deny' } : { decision: 'deny', reason };
}

/** No answer at all is never one: with the input at its end the question waits for somebody else. */
export const toUnanswered = ({ kind }: Exclude<Typed, { kind: 'line' }>): PersonAnswer =>
  kind === 'end' ? { decision: 'defer' } : null;

const ask = ({ terminal, signal }: Question, prompt: string): Promise<Typed> => terminal.question(prompt, signal);

function toPrompt(request: ApprovalRequest): string {
  const edit = mayRewrite(request) ? ' [e]dit' : '';
  const remember = toChoices(request).length > 0 ? ' [r]emember' : '';
  return `${request.act} ${toVisible(request.target)}\n[y]es [n]o${edit}${remember} [d]efer: `;
}

/** A plan is corrected by saying no and why. */
const mayRewrite = ({ act }: ApprovalRequest): boolean => act !== 'plan';

async function toAnswer(question: Question, letter: string): Promise<PersonAnswer | 'again'> {
  switch (letter) {
    case 'y':
    case 'yes':
      return { decision: 'approve' };
    case 'n':
    case 'no':
      return askReason(question);
    case 'd':
    case 'defer':
      return { decision: 'defer' };
    case 'e':
    case 'edit':
      return mayRewrite(question.request) ? askRewrite(question) : 'again';
    case 'r':
    case 'remember':
      return askRemember(question);
    default:
      return 'again';
  }
}

async function askRewrite(question: Question): Promise<PersonAnswer | 'again'> {
  const typed = await ask(question, 'file with the arguments as JSON (Enter goes back): ');
  if (typed.kind !== 'line') return toUnanswered(typed);
  const file = typed.text.trim();
  if (file === '') return 'again';
  try {
    return { decision: 'approve', rewrite: readRewrite(file) };
  } catch (error) {
    if (!isEngineError(error)) throw error;
    question.terminal.write(`${toVisible(error.message)}\n${error.remedy}\n`);
    return 'again';
  }
}

async function askRemember(question: Question): Promise<PersonAnswer | 'again'> {
  const choices = toChoices(question.request);
  if (choices.length === 0) return 'again';
  question.terminal.write(await describeReach(question, choices));
  const list = choices.map(({ words }, place) => `  ${place + 1}  ${words}\n`).join('');
  const typed = await ask(question, `${list}yes, and from now on (number; Enter goes back): `);
  if (typed.kind !== 'line') return toUnanswered(typed);
  const choice = /^\d+$/.test(typed.text.trim()) ? choices[Number(typed.text) - 1] : undefined;
  return choice === undefined ? 'again' : { decision: 'approve', remember: choice.remember };
}

/** How far each pattern reaches; the scope only says for how long. */
async function describeReach({ preview }: Question, choices: readonly Choice[]): Promise<string> {
  const patterns = choices.filter(({ remember }) => remember.scope === 'run');
  const lines = await Promise.all(
    patterns.map(async ({ remember }) => {
      const { matchedCount, newlyAllowed } = await preview(remember);
      return `  "${toVisible(remember.pattern)}" matches ${counted(matchedCount, 'earlier act')}, and would newly allow ${newlyAllowed} of them\n`;
    }),
  );
  return lines.join('');
}

type Choice = ReturnType<typeof toChoices>[number];

const scopeWords = { run: 'in this run', project: 'in this workspace', user: 'in everything you run' } as const;

function toChoices({ details }: ApprovalRequest) {
  return details.proposals.flatMap(({ act, pattern }) =>
    RememberScope.options.map((scope) => ({
      remember: { scope, pattern },
      words: `allow ${act} "${toVisible(pattern)}" ${scopeWords[scope]}`,
    })),
  );
}
