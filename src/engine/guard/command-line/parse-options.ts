// Splits the words of a program into options and operands as getopt does: clustered letters, values in the same word or the
// next, `--name=value`, abbreviated long names, and `--`.
import { toLiteralWord, type Word } from './word.ts';

/** `flag` takes no value, `value` always takes one, `attached` only in the same word. */
export type OptionForm = 'flag' | 'value' | 'attached';

export interface OptionRules {
  /** Options by name, with their dashes. What is not listed is taken for a flag. */
  readonly forms: ReadonlyMap<string, OptionForm>;
  /** The first operand ends the options, as in programs that start others. */
  readonly stopsAtOperand?: boolean;
}

export interface ParsedOption {
  /** With its dashes; for an abbreviation what it can stand for. */
  readonly name: string;
  readonly value: Word | null;
  /** Written in full and listed. */
  readonly isKnown: boolean;
}

export interface ParsedWords {
  readonly options: readonly ParsedOption[];
  readonly operands: readonly Word[];
}

/** Names separated by blanks, as a table of forms. */
export function toForms(names: Partial<Record<OptionForm, string>>): Map<string, OptionForm> {
  const forms = new Map<string, OptionForm>();
  const add = (form: OptionForm) => {
    for (const name of (names[form] ?? '').split(' ')) if (name !== '') forms.set(name, form);
  };
  add('flag');
  add('attached');
  add('value');
  return forms;
}

export function parseOptions(words: readonly Word[], { forms, stopsAtOperand = false }: OptionRules): ParsedWords {
  const options: ParsedOption[] = [];
  const operands: Word[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) break;
    const text = word.kind === 'literal' ? word.value : '';
    if (text === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (!text.startsWith('-') || text === '-') {
      if (stopsAtOperand) {
        operands.push(...words.slice(at));
        break;
      }
      operands.push(word);
      continue;
    }
    const takesNext = text.startsWith('--') ? readLong(text, forms, options) : readCluster(text, forms, options);
    if (takesNext === null) continue;
    options.push({ name: takesNext, value: words[at + 1] ?? null, isKnown: true });
    at++;
  }
  return { options, operands };
}

/** Adds a long option, or answers its name when its value is the next word. */
function readLong(text: string, forms: ReadonlyMap<string, OptionForm>, options: ParsedOption[]): string | null {
  const equals = text.indexOf('=');
  const written = equals === -1 ? text : text.slice(0, equals);
  const value = equals === -1 ? null : text.slice(equals + 1);
  const candidates = forms.has(written) ? [written] : [...forms.keys()].filter((known) => known.startsWith(written));
  const [name = written, ...others] = candidates;
  if (others.length === 0 && forms.get(name) === 'value' && value === null) return name;
  for (const each of [name, ...others])
    options.push({ name: each, value: value === null ? null : toLiteralWord(value), isKnown: forms.has(written) });
  return null;
}

function readCluster(text: string, forms: ReadonlyMap<string, OptionForm>, options: ParsedOption[]): string | null {
  // Some programs spell long names with one dash.
  const whole = forms.get(text);
  if (text.length > 2 && whole !== undefined) {
    if (whole === 'value') return text;
    options.push({ name: text, value: null, isKnown: true });
    return null;
  }
  for (let at = 1; at < text.length; at++) {
    const name = `-${text[at]}`;
    const form = forms.get(name) ?? 'flag';
    const rest = text.slice(at + 1);
    if (form === 'value' && rest === '') return name;
    if (form !== 'flag') {
      options.push({ name, value: rest === '' ? null : toLiteralWord(rest), isKnown: true });
      return null;
    }
    options.push({ name, value: null, isKnown: forms.has(name) });
  }
  return null;
}
