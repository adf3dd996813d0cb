// Here-documents. Where one ends decides which lines are commands, so the end that the tree found is only believed when
// reading line by line, as the shell does, finds the same.
import type { Directories } from './directories.ts';
import { readWord } from './read-word.ts';
import { type Shell, textOf } from './shell.ts';
import type { SyntaxNode } from './syntax-node.ts';
import { walkExpansions } from './walk-expansions.ts';

/** Reads the body; says what it cannot be sure of. */
export function walkHereDocument(shell: Shell, node: SyntaxNode, directories: Directories): void {
  const find = (type: string) => node.children.find((child) => child.type === type);
  const [start, body, end] = [find('heredoc_start'), find('heredoc_body'), find('heredoc_end')];
  if (start === undefined || end === undefined || !isWhereTheShellEndsIt(shell.source, { node, start, body, end })) {
    shell.parts.hidden(textOf(shell, node), 'it is not clear where its here-document ends', directories);
  }
  if (start === undefined || body === undefined || /['"\\$]/.test(textOf(shell, start))) return;
  if (/`|\$[({[]/.test(textOf(shell, body)))
    shell.parts.hidden(textOf(shell, body), 'its here-document is expanded', directories);
  walkExpansions(shell, body, directories);
}

interface HereDocument {
  readonly node: SyntaxNode;
  readonly start: SyntaxNode;
  readonly body: SyntaxNode | undefined;
  readonly end: SyntaxNode;
}

function isWhereTheShellEndsIt(source: string, { node, start, body, end }: HereDocument): boolean {
  const [delimiter, ...more] = readWord(source.slice(start.start, start.end));
  if (delimiter?.kind !== 'literal' || more.length > 0) return false;
  const lineEnd = source.indexOf('\n', start.end);
  const rest = source.slice(start.end, lineEnd);
  // Another here-document, or the end of a substitution, on the same line makes the next line something else.
  if (lineEnd === -1 || /<<|[()`\\]/.test(rest)) return false;
  const first = body ?? end;
  if (first.start <= lineEnd || !/^\t*$/.test(source.slice(lineEnd + 1, first.start))) return false;
  const isIndented = node.children.some(({ type }) => type === '<<-');
  const isExpanded = delimiter.text === delimiter.value;
  return findEnd(source, { from: lineEnd + 1, delimiter: delimiter.value, isIndented, isExpanded }) === end.end;
}

interface Body {
  readonly from: number;
  readonly delimiter: string;
  readonly isIndented: boolean;
  readonly isExpanded: boolean;
}

/** The end of the line that is the delimiter and nothing else; -1 where no such line is. */
function findEnd(source: string, { from, delimiter, isIndented, isExpanded }: Body): number {
  let at = from;
  while (at <= source.length) {
    const lineEnd = source.indexOf('\n', at);
    const stop = lineEnd === -1 ? source.length : lineEnd;
    const line = source.slice(at, stop);
    if ((isIndented ? line.replace(/^\t+/, '') : line) === delimiter) return stop;
    // A backslash at the end joins the next line to this one, which then ends nothing.
    if (lineEnd === -1 || (isExpanded && line.endsWith('\\'))) return -1;
    at = lineEnd + 1;
  }
  return -1;
}
