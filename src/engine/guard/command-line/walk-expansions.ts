// Commands that run while words are being expanded, wherever the words stand. Some expansions evaluate the value of a variable
// as text, and that can run anything: no literal word shows it, so they are hidden parts.
import type { Directories } from './directories.ts';
import type { Shell } from './shell.ts';
import { textOf } from './shell.ts';
import type { SyntaxNode } from './syntax-node.ts';
import { walkSequence } from './walk-sequence.ts';

export function walkExpansions(shell: Shell, node: SyntaxNode, directories: Directories): void {
  switch (node.type) {
    case 'command_substitution':
    case 'process_substitution':
      walkSubstitution(shell, node, directories);
      return;
    case 'expansion':
      if (!isPlainExpansion(textOf(shell, node)))
        shell.parts.hidden(textOf(shell, node), 'this form of expansion can run commands', directories);
      break;
    case 'arithmetic_expansion':
      if (!/^\$(?:\(\(|\[)[\d\s+*/%()<>=!&|^~?:-]*\]?$/.test(textOf(shell, node)))
        shell.parts.hidden(textOf(shell, node), 'evaluating variables as numbers can run commands', directories);
      break;
    case 'subshell':
    case 'command':
      shell.walk(node, directories);
      return;
  }
  for (const child of node.children) walkExpansions(shell, child, directories);
}

function walkSubstitution(shell: Shell, node: SyntaxNode, directories: Directories): void {
  const text = textOf(shell, node);
  // Inside backquotes a backslash is taken away before anything is parsed, and the tree does not do that.
  if (text.startsWith('`') && text.includes('\\'))
    shell.parts.hidden(text, 'a backslash inside backquotes changes what is run', directories);
  walkSequence(shell, node.children, directories);
}

/** `${name}` and the operators that do no more than cut, replace or stand in; what is nested in them is walked by itself. */
function isPlainExpansion(text: string): boolean {
  return /^\$\{#?(?:\w+|[@*#?!$-])\}$/.test(text) || /^\$\{\w+(?::?[-+?]|%%?|##?|\/)[^[]*\}$/.test(text);
}
