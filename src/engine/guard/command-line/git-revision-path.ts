// How git is told of a file as one commit has it, or as it is staged: `HEAD:a.ts`, `:0:a.ts`.
import { literalValue, type Word } from './word.ts';

/** Every operand is one file of one commit (`HEAD:a.ts`), which is judged by itself. */
export function namesOneFile(words: readonly Word[]): boolean {
  const texts = words.map((word) => literalValue(word) ?? '');
  const operands = texts.filter((text) => !/^-[pw]$/.test(text));
  return operands.length > 0 && operands.every((text) => splitRevision(text) !== null);
}

/** The path in `revision:path` or `:stage:path`, from the first colon on that stands in no braces; null where there is none. */
export function splitRevision(text: string): string | null {
  if (/^:[/(!^]/.test(text) || text.startsWith('-')) return null;
  const [, path = ''] = /^(?:[^:{]|\{[^}]*\})*:(?:[0-3]:)?([\s\S]+)$/.exec(text) ?? [];
  return path === '' ? null : path;
}
