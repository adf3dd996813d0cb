// How a program is described in the tables, and the one reader for all programs that such a description fits.
import { type ParsedOption, parseOptions, toForms } from './parse-options.ts';
import { type OperandUse, type ProgramReader, ProgramUse } from './program-use.ts';
import { toLiteralWord, toPath, type Word } from './word.ts';

export interface ProgramShape {
  /** What every operand is, unless it is the first or the last and these are something else. */
  readonly operands: OperandUse;
  readonly first?: OperandUse;
  readonly last?: OperandUse;
  /** Options that give what is otherwise the first operand. */
  readonly insteadOfFirst?: string;
  /** The option that gives what is otherwise the last operand. */
  readonly insteadOfLast?: string;
  /** What it works on when no operand names anything, unless it does not look below it, or is fed by another command. */
  readonly otherwise?: { readonly use: OperandUse; readonly path: string; readonly unless?: 'shallow' | 'fed' };
  /** It takes what lies below a directory: always, or with one of these options. */
  readonly deep?: 'always' | string;
  /** Options without a value, where they have to be told from abbreviations of others. */
  readonly flag?: string;
  /** Options that take a value which is no path. */
  readonly value?: string;
  /** Options whose value, if any, is in the same word and is no path. */
  readonly attached?: string;
  /** Options whose value is a file that is read, or written. */
  readonly read?: string;
  readonly write?: string;
  /** Options after which the words do not tell everything, by what they do. */
  readonly opaque?: Readonly<Record<string, string>>;
  /** The same for the program whatever its words are. */
  readonly always?: string;
}

/** A reader for programs of this shape. */
export function toReader(shape: ProgramShape): ProgramReader {
  const reasons = new Map(
    Object.entries(shape.opaque ?? {}).flatMap(([reason, names]) =>
      split(names).map((name) => [name, reason] as const),
    ),
  );
  const reads = new Set(split(shape.read));
  const writes = new Set(split(shape.write));
  const deep = new Set(split(shape.deep === 'always' ? '' : shape.deep));
  const forms = toForms({
    flag: [shape.flag ?? '', ...reasons.keys(), ...deep].join(' '),
    attached: shape.attached ?? '',
    value: [shape.value ?? '', ...reads, ...writes].join(' '),
  });
  return (words, { isFed }) => {
    const use = new ProgramUse();
    if (shape.always !== undefined) use.blur(shape.always);
    const { options, operands } = parseOptions(words, { forms });
    const isDeep = shape.deep === 'always' || options.some(({ name }) => deep.has(name));
    for (const { name, value, isKnown } of options) {
      // What an option that is not known here has for a value may be a file.
      if (!isKnown && !forms.has(name)) use.open('read', notStandardStream(value));
      const reason = reasons.get(name);
      if (reason !== undefined) use.blur(reason);
      if (reads.has(name)) use.open('read', notStandardStream(value));
      if (writes.has(name)) use.open('write', notStandardStream(value));
    }
    openOperands(use, shape, { options, operands, isDeep, isFed });
    return use;
  };
}

interface Operands {
  readonly options: readonly ParsedOption[];
  readonly operands: readonly Word[];
  readonly isDeep: boolean;
  readonly isFed: boolean;
}

function openOperands(use: ProgramUse, shape: ProgramShape, given: Operands): void {
  const { operands, isDeep } = given;
  const hasFirst = shape.first !== undefined && !isGiven(shape.insteadOfFirst, given);
  if (hasFirst && shape.first !== undefined) use.open(shape.first, notStandardStream(operands[0] ?? null));
  const rest = operands.slice(hasFirst ? 1 : 0);
  if (shape.last !== undefined) openTarget(use, { ...shape, last: shape.last }, { ...given, operands: rest });
  else for (const word of rest) use.open(shape.operands, notStandardStream(word), isDeep);
  if (rest.length === 0) openOtherwise(use, shape, given);
}

/** The last operand, or the option in its place, takes what the others are. */
function openTarget(use: ProgramUse, shape: ProgramShape & { readonly last: OperandUse }, given: Operands): void {
  const { operands, options, isDeep } = given;
  const instead = options.find(({ name }) => split(shape.insteadOfLast).includes(name));
  const isLast = instead === undefined && operands.length > 1;
  const target = isLast ? operands.at(-1) : instead?.value;
  const sources = isLast ? operands.slice(0, -1) : operands;
  for (const word of sources) use.open(shape.operands, notStandardStream(word), isDeep);
  if (target === undefined || target === null) return;
  use.open(shape.last, target, isDeep);
  for (const word of sources) openBelow(use, shape.last, { word, target });
}

function openOtherwise(use: ProgramUse, { otherwise, insteadOfFirst }: ProgramShape, given: Operands): void {
  if (otherwise === undefined || (otherwise.unless === 'shallow' && !given.isDeep)) return;
  // With an option in place of its first operand it may not be its input that it looks at.
  if (otherwise.unless === 'fed' && given.isFed && !isGiven(insteadOfFirst, given)) return;
  use.open(otherwise.use, toLiteralWord(otherwise.path), given.isDeep);
}

function isGiven(names: string | undefined, { options }: Operands): boolean {
  return names !== undefined && options.some(({ name }) => split(names).includes(name));
}

/** A target that is a directory gets each source under the source's own name. */
function openBelow(use: ProgramUse, act: OperandUse, { word, target }: { word: Word; target: Word }): void {
  const directory = toPath(target);
  const name = word.kind === 'literal' ? /([^/]+)\/*$/.exec(word.value)?.[1] : undefined;
  if (name === undefined || name === '.' || name === '..') use.blur('the names it writes are not known');
  else if (directory !== null && target.kind === 'literal') {
    const value = `${directory.replace(/\/+$/, '')}/${name}`;
    use.open(act, { ...toLiteralWord(value), isHome: target.isHome });
  }
}

/** `-` is what the program has open anyway. */
function notStandardStream(word: Word | null): Word | null {
  return word?.kind === 'literal' && word.value === '-' ? null : word;
}

function split(names: string | undefined): string[] {
  return names === undefined ? [] : names.split(' ').filter((name) => name !== '');
}
