// Redirects: the files they open are acts of their own, whatever the command is.
import type { Directories, Ending } from './directories.ts';
import { groupWords } from './group-words.ts';
import { readWord } from './read-word.ts';
import { type Shell, textOf } from './shell.ts';
import type { SyntaxNode } from './syntax-node.ts';
import { walkExpansions } from './walk-expansions.ts';
import { walkHereDocument } from './walk-here-document.ts';
import { walkList } from './walk-sequence.ts';

export function isRedirect({ type }: SyntaxNode): boolean {
  return type === 'file_redirect' || type === 'heredoc_redirect' || type === 'herestring_redirect';
}

/** Reads what a redirect opens. The grammar hangs words of the command that come after it into it: these are the answer. */
export function walkRedirect(shell: Shell, node: SyntaxNode, directories: Directories): readonly SyntaxNode[] {
  switch (node.type) {
    case 'file_redirect':
      return walkFileRedirect(shell, node, directories);
    case 'heredoc_redirect': {
      walkHereDocument(shell, node, directories);
      return node.children.flatMap((child) => {
        if (isRedirect(child)) return walkRedirect(shell, child, directories);
        return isWordNode(child) ? [child] : [];
      });
    }
    default:
      walkExpansions(shell, node, directories);
      return [];
  }
}

/** The rest of a list or pipeline, which the grammar hangs into the here-document that begins on the same line. */
export function walkAfterHereDocument(shell: Shell, { children }: SyntaxNode, ending: Ending): Ending {
  const rest = children.filter(
    (child) =>
      !isRedirect(child) &&
      !isWordNode(child) &&
      !child.type.startsWith('heredoc_') &&
      child.type !== 'file_descriptor',
  );
  return rest.some(({ isNamed }) => isNamed) ? walkList(shell, rest, ending) : ending;
}

const wordTypes = new Set([
  'word',
  'string',
  'raw_string',
  'ansi_c_string',
  'translated_string',
  'concatenation',
  'number',
]);
const expansionTypes = new Set(['simple_expansion', 'expansion', 'command_substitution', 'process_substitution']);
const otherWordTypes = new Set(['arithmetic_expansion', 'brace_expression', 'extglob_pattern', 'regex']);

export function isWordNode({ type }: SyntaxNode): boolean {
  return wordTypes.has(type) || expansionTypes.has(type) || otherWordTypes.has(type);
}

function walkFileRedirect(shell: Shell, node: SyntaxNode, directories: Directories): readonly SyntaxNode[] {
  const { children } = node;
  const at = children.findIndex(({ isNamed }) => !isNamed);
  const operator = children[at]?.type ?? '';
  const rest = children.slice(at + 1);
  if (operator.endsWith('-')) return rest;
  const [target, ...words] = groupWords(rest);
  if (target === undefined) {
    shell.parts.hidden(textOf(shell, node), 'its redirect leads nowhere', directories);
    return [];
  }
  for (const part of target) walkExpansions(shell, part, directories);
  const text = shell.source.slice(target[0].start, target.at(-1)?.end);
  openTarget(shell, { operator, text, node }, directories);
  return words.flat();
}

interface Opening {
  readonly operator: string;
  readonly text: string;
  readonly node: SyntaxNode;
}

function openTarget(shell: Shell, { operator, text, node }: Opening, directories: Directories): void {
  if (/^[<>]&$/.test(operator) && /^(?:\d+-?|-)$/.test(text)) return;
  const words = readWord(text);
  const [word] = words;
  const connection = /^\/dev\/(?:tcp|udp)\/([^/]+)\/([^/]+)$/.exec(word?.kind === 'literal' ? word.value : '');
  if (connection !== null) shell.parts.net(`${connection[1]}:${connection[2]}`);
  if (words.length !== 1 || word === undefined || word.kind === 'open' || word.isHome || connection !== null) {
    shell.parts.hidden(textOf(shell, node), 'what its redirect opens is not known', directories);
  }
  for (const each of connection === null ? words : []) {
    if (operator !== '>' && !/^(?:>>|>\||&>|&>>|>&)$/.test(operator))
      shell.parts.path('read', each, false, directories);
    if (operator !== '<' && operator !== '<&') shell.parts.path('write', each, false, directories);
  }
}
