// Secrets that are recognised by the name they are given: `TVLY_KEY=…`, `"password": "…"`, `X-Internal-Token: …`. Works for
// vendors nobody has heard of. Every repetition is bounded or runs over one class of characters that is then left behind,
// so the time is linear in the text.
import { type Mask, masked, wordStart } from './mask.ts';
import { type SecretKind, toSecretKind } from './secret-name.ts';
import { isSecretValue, type ValueStyle } from './secret-value.ts';

/** Masks values whose name says that they are secret. */
export const maskAssignments: Mask = (text, count) => {
  const toKind = remember(toSecretKind);
  let result = '';
  let done = 0;
  assignment.lastIndex = 0;
  for (let match = assignment.exec(text); match !== null; match = assignment.exec(text)) {
    const kind = toKind(match[1] ?? '');
    if (kind === null) continue;
    const start = match.index + match[0].length;
    const end = findSecretEnd(text, start, toWritten(match, kind));
    if (end === null) continue;
    result += text.slice(done, start) + masked;
    done = end;
    assignment.lastIndex = end;
    count();
  }
  return result + text.slice(done);
};

// Quotes may be escaped, also more than once, as in JSON that holds JSON. An arrow assigns only where keys are quoted;
// elsewhere it begins a function.
const openQuote = '(\\\\{0,7}["\'`])?';
const sign = '((?<=["\'`]\\]?[ \\t]{0,8})=>|:=|[:=](?![:=>]))';
const assignment = new RegExp(
  `${wordStart}([\\w.-]{3,80})${openQuote}\\]?[ \\t]{0,8}${sign}[ \\t]{0,8}${openQuote}`,
  'g',
);

function remember<Answer>(ask: (question: string) => Answer): (question: string) => Answer {
  const answers = new Map<string, Answer>();
  return (question) => {
    const known = answers.get(question);
    if (known !== undefined) return known;
    const answer = ask(question);
    answers.set(question, answer);
    return answer;
  };
}

/** How a value is written, which decides how far it reaches and how sure one has to be. */
interface Written {
  readonly kind: SecretKind;
  readonly style: ValueStyle;
  /** The quote it stands in, or empty. */
  readonly quote: string;
}

function toWritten([whole, name = '', , sign = '', quote = '']: RegExpExecArray, kind: SecretKind): Written {
  return { kind, quote: quote.at(-1) ?? '', style: toStyle(whole, name, sign, quote) };
}

function toStyle(whole: string, name: string, sign: string, quote: string): ValueStyle {
  if (sign === '=' && whole === name + sign + quote && /^[A-Z][A-Z0-9_]*$/.test(name)) return 'environment';
  if (sign === ':' && /^x-/i.test(name)) return 'header';
  return quote === '' ? 'bare' : 'quoted';
}

/** Where the secret that begins at `start` ends; null when it is none. Decided by its first characters. */
function findSecretEnd(text: string, start: number, { kind, style, quote }: Written): number | null {
  const characters = style === 'environment' ? environmentCharacters : plainCharacters;
  const { head, rest } = characters[quote] ?? characters[''];
  const headEnd = scan(head, text, start);
  const next = text.charAt(headEnd);
  // A sentence in quotes, or a call or an element in place of a value.
  if (style === 'quoted' && /[ \t]/.test(next)) return null;
  if (style === 'bare' && /[([]/.test(next)) return null;
  return isSecretValue(text.slice(start, headEnd), kind, style) ? scan(rest, text, headEnd) : null;
}

function scan(characters: RegExp, text: string, from: number): number {
  characters.lastIndex = from;
  return from + (characters.exec(text)?.[0].length ?? 0);
}

interface Characters {
  readonly head: RegExp;
  readonly rest: RegExp;
}

type CharactersByQuote = Readonly<Record<string, Characters>> & { readonly '': Characters };

const createCharacters = (head: string, rest = head): Characters => ({
  head: new RegExp(`${head}{1,96}`, 'y'),
  rest: new RegExp(`${rest}*`, 'y'),
});

const plainCharacters: CharactersByQuote = {
  '': createCharacters('[^\\s"\'`,;&(){}\\[\\]<>|\\\\:=]', '[^\\s"\'`,;&(){}\\[\\]<>|\\\\]'),
  '"': createCharacters('[^\\s"\\\\]'),
  "'": createCharacters("[^\\s'\\\\]"),
  '`': createCharacters('[^\\s`\\\\]'),
};

const environmentCharacters: CharactersByQuote = {
  '': createCharacters('[^\\s"\'`;&|<>\\\\]'),
  '"': createCharacters('[^\\r\\n"\\\\]'),
  "'": createCharacters("[^\\r\\n'\\\\]"),
  '`': createCharacters('[^\\r\\n`\\\\]'),
};
