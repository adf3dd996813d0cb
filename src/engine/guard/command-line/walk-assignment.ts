// Assignments, alone and before a command, and the builtins that declare variables.
import { anywhere, type Directories, type Ending, staysIn } from './directories.ts';
import { groupWords } from './group-words.ts';
import { isHarmlessForPrograms, isHarmlessForShell } from './is-harmless-variable.ts';
import { readWord } from './read-word.ts';
import { type Shell, textOf } from './shell.ts';
import type { SyntaxNode } from './syntax-node.ts';
import { walkExpansions } from './walk-expansions.ts';
import type { Word } from './word.ts';

/** An assignment that is a command of its own: it only matters when the shell gives the name a meaning. */
export function walkAssignment(shell: Shell, node: SyntaxNode, directories: Directories): Ending {
  walkExpansions(shell, node, directories);
  const { name, value } = readAssignment(shell, node);
  const isPlain = name !== null && isHarmlessForShell(name) && (value !== null || isOneSubstitution(node));
  if (isPlain) return staysIn(directories);
  shell.parts.hidden(textOf(shell, node), 'the shell or later programs may act on this variable', directories);
  return anywhere;
}

/** Why a command with this assignment before it is not what its words say; null where it makes no difference. */
export function judgePrefix(shell: Shell, node: SyntaxNode, directories: Directories): string | null {
  walkExpansions(shell, node, directories);
  const { name, value } = readAssignment(shell, node);
  if (name !== null && value !== null && isHarmlessForPrograms(name, value)) return null;
  return `it is run with ${name ?? 'a variable'} set`;
}

/** `export`, `declare`, `local` and the like, as the words of a command. */
export function walkDeclaration(shell: Shell, node: SyntaxNode, directories: Directories): Ending {
  walkExpansions(shell, node, directories);
  const words = groupWords(node.children).flatMap((group) => readGroup(shell, group));
  const [program = '', ...rest] = words.map((word) => (word.kind === 'literal' && !word.isHome ? word.value : null));
  if (program !== null && rest.every((value) => value !== null && isPlainDeclaration(program, value))) {
    shell.parts.command([program, ...rest.filter((value) => value !== null)], directories);
    return staysIn(directories);
  }
  shell.parts.openCommand(program, { words, reason: declares }, directories);
  shell.parts.hidden(textOf(shell, node), declares, directories);
  return anywhere;
}

const declares = 'the shell or later programs may act on what it declares';

/** What is exported is seen by programs, and they act on names in small letters too. */
function isPlainDeclaration(program: string, text: string): boolean {
  const [name = '', value] = text.split(/=(.*)/s);
  if (isHarmlessForPrograms(name, value ?? '')) return true;
  return program !== 'export' && isHarmlessForShell(name);
}

function readGroup(shell: Shell, group: readonly [SyntaxNode, ...SyntaxNode[]]): readonly Word[] {
  return readWord(shell.source.slice(group[0].start, group.at(-1)?.end));
}

/** Null for a name that is more than a name, and for a value that is not literal. */
function readAssignment(shell: Shell, node: SyntaxNode): { name: string | null; value: string | null } {
  const match = /^(\w+)=([\s\S]*)$/.exec(textOf(shell, node));
  if (match === null) return { name: null, value: null };
  const [, name = '', text = ''] = match;
  if (text === '') return { name, value: '' };
  const [word, ...more] = readWord(text);
  const value = word?.kind === 'literal' && !word.isHome && more.length === 0 ? word.value : null;
  return { name, value };
}

/** `x=$(…)` and `x="$(…)"`: the command in it is a part by itself, and the value goes nowhere but into the variable. */
function isOneSubstitution({ children }: SyntaxNode): boolean {
  const value = children.at(-1);
  const inner = value?.type === 'string' && value.children.length === 3 ? value.children[1] : value;
  return children.length === 3 && inner?.type === 'command_substitution';
}
