// The names that a pattern of the shell stands for. It is read generously: what is between brackets may be anything, and letter
// case makes no difference, so that it never finds less than the shell does.
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { matchGlob } from '../policy/match-pattern.ts';

/** Absolute paths of what matches below `directory`, level by level. A name with a dot in front needs a pattern with one. */
export async function* expandGlob(directory: string, glob: string): AsyncGenerator<string> {
  const [first = '', ...rest] = glob.split('/').filter((part) => part !== '');
  const isMatch = toNameTest(first);
  if (isMatch === null) {
    const path = join(directory, first.replaceAll(/\\([\s\S])/g, '$1'));
    if (rest.length === 0) yield path;
    else yield* expandGlob(path, rest.join('/'));
    return;
  }
  for (const { name } of await readEntries(directory)) {
    if (!isMatch(name)) continue;
    const path = join(directory, name);
    if (rest.length === 0) yield path;
    else yield* expandGlob(path, rest.join('/'));
  }
}

/** Null for a part that is no pattern but a name. */
function toNameTest(part: string): ((name: string) => boolean) | null {
  const tokens = part.match(/\\[\s\S]|\[[\s\S]*\]|[\s\S]/gu) ?? [];
  if (!tokens.some((token) => token === '*' || token === '?' || isBrackets(token))) return null;
  const pattern = tokens.map(toPlainGlob).join('').toLowerCase();
  const takesDot = /^\\?\./.test(part);
  const bytes = toBytes(pattern);
  return (name) => {
    const folded = name.toLowerCase();
    // In a locale without UTF-8 the shell takes each byte of a name for a character.
    return (takesDot || !name.startsWith('.')) && (matchGlob(pattern, folded) || matchGlob(bytes, toBytes(folded)));
  };
}

function isBrackets(token: string): boolean {
  return token.length > 1 && token.startsWith('[');
}

/** The other matcher has neither quotes nor brackets, and takes time in proportion whatever the pattern. */
function toPlainGlob(token: string): string {
  if (isBrackets(token)) return '*';
  if (!token.startsWith('\\')) return token;
  return /[*?]/.test(token) ? '?' : token.slice(1);
}

/** Nothing where there is no directory that this user may read: the shell finds nothing there either. */
async function readEntries(directory: string): Promise<Dirent[]> {
  return await readdir(directory, { withFileTypes: true }).catch(() => []);
}

const toBytes = (text: string): string => Buffer.from(text).toString('latin1');
