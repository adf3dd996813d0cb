// Finds the inner program among the words of one that starts another.
import { isHarmlessForPrograms } from './is-harmless-variable.ts';
import { type ParsedWords, parseOptions, toForms } from './parse-options.ts';
import { type ProgramReader, ProgramUse } from './program-use.ts';
import { literalValue, toLiteralWord, toOpenWord, toPath, type Word } from './word.ts';
import type { WrapperShape } from './wrappers.ts';

export function toWrapperReader(shape: WrapperShape): ProgramReader {
  const names = (text = '') => text.split(' ').filter((name) => name !== '');
  const [directories, lines, hides] = [names(shape.directory), names(shape.line), names(shape.hides)];
  const forms = toForms({
    flag: [shape.flags ?? '', ...hides].join(' '),
    attached: shape.attached ?? '',
    value: [shape.value, shape.directory, shape.line, shape.write, shape.read].join(' '),
  });
  const named = { directories, lines, hides, reads: names(shape.read), writes: names(shape.write) };
  return (words) => {
    const parsed = parseOptions(words, { forms, stopsAtOperand: true });
    const use = new ProgramUse();
    if (shape.always !== undefined) use.blur(shape.always).hide(shape.always);
    const { directory, isUncertain } = readOptions(use, named, parsed);
    if (isUncertain) use.blur(unclearStart).hide(unclearStart);
    const inner = readOperands(use, shape, parsed);
    if (shape.alwaysWrites !== undefined) use.open('write', parsed.operands[0] ?? toLiteralWord(shape.alwaysWrites));
    const hasLine = parsed.options.some(({ name }) => lines.includes(name));
    if (!hasLine && shape.alwaysWrites === undefined) startInner(use, shape, { inner, parsed, lines, directory });
    return use;
  };
}

const unclearStart = 'it is not clear which program is started';

interface NamedOptions {
  readonly directories: readonly string[];
  readonly lines: readonly string[];
  readonly hides: readonly string[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

function readOptions(
  use: ProgramUse,
  named: NamedOptions,
  { options }: ParsedWords,
): { directory: string | null; isUncertain: boolean } {
  let directory: string | null = '.';
  let isUncertain = false;
  for (const { name, value, isKnown } of options) {
    if (!isKnown || named.hides.includes(name)) isUncertain = true;
    if (value?.kind === 'open') isUncertain = true;
    if (named.directories.includes(name)) {
      directory = literalValue(value ?? undefined);
      use.open('read', value);
    }
    if (named.reads.includes(name)) use.open('read', value);
    if (named.writes.includes(name)) use.open('write', value);
    if (named.lines.includes(name)) use.runLine(value ?? undefined, directory);
  }
  return { directory, isUncertain };
}

/** What is left after the operands that are the wrapper's own. */
function readOperands(
  use: ProgramUse,
  { skips = 0, takesAssignments = false }: WrapperShape,
  { operands }: ParsedWords,
): readonly Word[] {
  if (operands.slice(0, skips + 1).some((word) => word.kind === 'open')) use.hide(unclearStart);
  const rest = operands.slice(skips);
  if (!takesAssignments) return rest;
  // A dash alone is an option of `env`.
  while (literalValue(rest[0]) === '-') rest.shift();
  const start = rest.findIndex((word) => !/^[^=/]+=/.test(literalValue(word) ?? word.text));
  const assignments = start === -1 ? rest : rest.slice(0, start);
  for (const word of assignments) {
    const [, name = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(literalValue(word) ?? '') ?? [];
    if (!isHarmlessForPrograms(name, value)) use.blur(`it sets ${name === '' ? 'a variable' : name}`);
  }
  return start === -1 ? [] : rest.slice(start);
}

interface Inner {
  readonly inner: readonly Word[];
  readonly parsed: ParsedWords;
  /** Options whose value is a text for a shell. */
  readonly lines: readonly string[];
  readonly directory: string | null;
}

function startInner(
  use: ProgramUse,
  { addsWords = false, joinsWords = false }: WrapperShape,
  { inner, parsed, lines, directory }: Inner,
): void {
  if (inner.length === 0) return;
  if (literalValue(inner[0])?.startsWith('-') === true) use.blur(unclearStart).hide(unclearStart);
  // Some take options after their operands as well.
  const late = inner.slice(0, 2).findIndex((word) => lines.includes(literalValue(word) ?? ''));
  if (late !== -1) {
    use.runLine(inner[late + 1], directory);
    return;
  }
  if (joinsWords) {
    const values = inner.map(literalValue);
    if (values.every((value) => value !== null)) use.payloads.push({ kind: 'line', line: values.join(' '), directory });
    else use.hide('the text it runs is not known');
  } else if (addsWords) use.run([...replaceIn(inner, parsed), toOpenWord('…', 'comes from the input')], directory);
  else use.run(inner, directory);
}

/** With a word to be replaced, every word that holds it is open. */
function replaceIn(words: readonly Word[], { options }: ParsedWords): readonly Word[] {
  const option = options.find(({ name }) => ['-I', '-i', '--replace', '-J'].includes(name));
  if (option === undefined) return words;
  const mark = option.value === null ? '{}' : toPath(option.value);
  return words.map((word) =>
    mark === null || toPath(word)?.includes(mark) === true ? toOpenWord(word.text, 'comes from the input') : word,
  );
}
