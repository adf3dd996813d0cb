// `find` and `fd`: where they look, what they write, and what they run for every file they find.
import { parseOptions, toForms } from './parse-options.ts';
import { type ProgramReader, ProgramUse } from './program-use.ts';
import { literalValue, toLiteralWord, toOpenWord, toPath, type Word } from './word.ts';

const found = 'is the name of a file that is found';
const starts = toForms({ flag: '-H -L -P', value: '-D', attached: '-O' });

/** Expressions by what the word after them is. */
const reads = new Set(['-newer', '-anewer', '-cnewer', '-samefile', '-files0-from']);
const writes = new Set(['-fprint', '-fprint0', '-fls', '-fprintf']);
const runs = new Set(['-exec', '-execdir', '-ok', '-okdir']);

export function readFind(words: readonly Word[]): ProgramUse {
  const use = new ProgramUse();
  const first = words.findIndex(
    (word) => !starts.has(literalValue(word) ?? '') && !/^-[OD]/.test(literalValue(word) ?? ''),
  );
  const rest = first === -1 ? [] : words.slice(first);
  const expression = rest.findIndex((word) => /^(?:-.|[(),!]$)/.test(literalValue(word) ?? ''));
  const places = expression === -1 ? rest : rest.slice(0, expression);
  const isDeleting = rest.some((word) => literalValue(word) === '-delete');
  for (const place of places.length === 0 ? [toLiteralWord('.')] : places)
    use.open(isDeleting ? 'both' : 'read', place, true);
  if (expression !== -1) readExpression(use, rest.slice(expression));
  return use;
}

function readExpression(use: ProgramUse, words: readonly Word[]): void {
  for (let at = 0; at < words.length; at++) {
    const name = literalValue(words[at]) ?? '';
    const next = words[at + 1] ?? null;
    if (name === '-files0-from') use.blur('it takes the names of files from a file');
    if (reads.has(name) || /^-newer[aBcmt][aBcm]$/.test(name)) use.open('read', next);
    if (writes.has(name)) use.open('write', next);
    if (!runs.has(name)) continue;
    const end = findEnd(words, at + 1);
    const inner = words
      .slice(at + 1, end)
      .map((word) => (toPath(word)?.includes('{}') === true ? toOpenWord(word.text, found) : word));
    use.run(inner, name.endsWith('dir') ? null : '.');
    at = end;
  }
}

/** The command for each file ends with `;`, that for many with `{} +`. */
function findEnd(words: readonly Word[], from: number): number {
  for (let at = from; at < words.length; at++) {
    const value = literalValue(words[at]);
    if (value === ';' || (value === '+' && literalValue(words[at - 1]) === '{}')) return at;
  }
  return words.length;
}

const fdForms = toForms({
  value:
    '-d --max-depth --min-depth --exact-depth -E --exclude -t --type -e --extension -S --size -o --owner -c --color -j --threads --changed-within --changed-before --max-results --path-separator --batch-size --format --and --strip-cwd-prefix',
  flag: '-x --exec -X --exec-batch',
});

export const readFd: ProgramReader = (words) => {
  const use = new ProgramUse();
  const at = words.findIndex((word) => /^(?:-x|--exec|-X|--exec-batch)/.test(literalValue(word) ?? ''));
  const { options, operands } = parseOptions(at === -1 ? words : words.slice(0, at), { forms: fdForms });
  for (const { name, value } of options)
    if (/^-(?:C|-base-directory|-search-path|-ignore-file)$/.test(name))
      use.open('read', value).blur('it looks elsewhere');
  const places = operands.slice(1);
  for (const place of places.length === 0 ? [toLiteralWord('.')] : places) use.open('read', place, true);
  if (at === -1) return use;
  if (!/^(?:-x|--exec|-X|--exec-batch)$/.test(literalValue(words[at]) ?? ''))
    return use.blur('it runs a program').hide('it runs a program for every file');
  const end = words.findIndex((word, index) => index > at && literalValue(word) === ';');
  const inner = words.slice(at + 1, end === -1 ? undefined : end);
  const opened = inner.map((word) => (/\{[^}]*\}/.test(toPath(word) ?? '') ? toOpenWord(word.text, found) : word));
  return use.run([...opened, toOpenWord('…', found)]);
};
