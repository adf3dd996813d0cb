// A simple command of the tree: its words, the assignments before it and the redirects around it.
import { type Directories, type Ending, staysIn } from './directories.ts';
import { groupWords } from './group-words.ts';
import { isHarmlessForShell } from './is-harmless-variable.ts';
import { readCommand } from './read-command.ts';
import { readWord } from './read-word.ts';
import { type Shell, textOf } from './shell.ts';
import type { SyntaxNode } from './syntax-node.ts';
import { judgePrefix } from './walk-assignment.ts';
import { walkExpansions } from './walk-expansions.ts';
import { isRedirect, walkAfterHereDocument, walkRedirect } from './walk-redirect.ts';
import type { Word } from './word.ts';

export function walkCommand(
  shell: Shell,
  node: SyntaxNode,
  redirects: readonly SyntaxNode[],
  directories: Directories,
): Ending {
  const all = [...redirects, ...node.children.filter(isRedirect)];
  const late = all.flatMap((redirect) => walkRedirect(shell, redirect, directories));
  const prefixes = node.children.filter(({ type }) => type === 'variable_assignment');
  const problems = prefixes.map((prefix) => judgePrefix(shell, prefix, directories));
  const nodes = node.children.filter((child) => !isRedirect(child) && child.type !== 'variable_assignment');
  const words = readWords(shell, { nodes: [...nodes, ...late], redirects: all }, directories);
  const ending = readCommand(shell, words, {
    directories,
    problem: problems.find((problem) => problem !== null) ?? null,
    isShell: true,
    depth: 0,
  });
  return all.reduce(
    (sofar, redirect) => (redirect.type === 'heredoc_redirect' ? walkAfterHereDocument(shell, redirect, sofar) : sofar),
    ending,
  );
}

/** A test between brackets. The grammar reads an expression there; for `[` it is a command with words like any other. */
export function walkTest(shell: Shell, node: SyntaxNode, directories: Directories): Ending {
  walkExpansions(shell, node, directories);
  const groups = groupWords(node.children.flatMap(toLeaves));
  const text = textOf(shell, node);
  const isOperatorFree = !/[<>&|;()]/.test(text);
  const words = isOperatorFree ? groups.flatMap((group) => readGroup(shell, group)) : null;
  if (words !== null) return readCommand(shell, words, { directories, problem: null, isShell: true, depth: 0 });
  shell.parts.hidden(text, 'its test holds more than words', directories);
  return staysIn(directories);
}

interface WordSource {
  readonly nodes: readonly SyntaxNode[];
  readonly redirects: readonly SyntaxNode[];
}

function readWords(shell: Shell, { nodes, redirects }: WordSource, directories: Directories): Word[] {
  for (const node of nodes) walkExpansions(shell, node, directories);
  const redirectStarts = new Set(redirects.map(({ start }) => start));
  return groupWords(nodes).flatMap((group) => {
    const text = shell.source.slice(group[0].start, group.at(-1)?.end);
    const variable = redirectStarts.has(group.at(-1)?.end ?? -1) ? /^\{(\w+)\}$/.exec(text)?.[1] : undefined;
    if (variable === undefined) return readGroup(shell, group);
    // `{name}>file` is no word: it sets the variable to the number of the descriptor.
    if (!isHarmlessForShell(variable)) shell.parts.hidden(text, 'it sets a variable of the shell', directories);
    return [];
  });
}

function readGroup(shell: Shell, group: readonly [SyntaxNode, ...SyntaxNode[]]): readonly Word[] {
  return readWord(shell.source.slice(group[0].start, group.at(-1)?.end));
}

/** Down to what can be a word. */
function toLeaves(node: SyntaxNode): readonly SyntaxNode[] {
  return /_expression$/.test(node.type) && node.type !== 'brace_expression' ? node.children.flatMap(toLeaves) : [node];
}
