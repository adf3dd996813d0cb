// A program and its arguments as the one line that policies match and people read: a shell reads the same words back.
import { quoteAlways, quoteWord } from './command-line/quote-word.ts';

/** Joined by single spaces, each word quoted only where a shell would take it for more than itself. */
export function toCommandText(words: readonly [string, ...string[]]): string {
  const [program, ...rest] = words;
  const head = isAssignment.test(program) || reservedWords.has(program) ? quoteAlways(program) : quoteWord(program);
  return [head, ...rest.map(quoteWord)].join(' ');
}

const isAssignment = /^\w+\+?=/;

/** Taken for grammar at the head of a command, and only there. */
const reservedWords: ReadonlySet<string> = new Set([
  ...[
    'if',
    'then',
    'elif',
    'else',
    'fi',
    'time',
    'for',
    'in',
    'until',
    'while',
    'do',
    'done',
    'case',
    'esac',
    'coproc',
  ],
  ...['select', 'function'],
]);
