// Puts neighbours that no blank separates back together: they are one word for the shell, whatever the grammar made of them.
import type { SyntaxNode } from './syntax-node.ts';

export type WordNodes = [SyntaxNode, ...SyntaxNode[]];

export function groupWords(nodes: readonly SyntaxNode[]): WordNodes[] {
  const groups: WordNodes[] = [];
  for (const node of nodes) {
    const last = groups.at(-1);
    if (last !== undefined && last.at(-1)?.end === node.start) last.push(node);
    else groups.push([node]);
  }
  return groups;
}
