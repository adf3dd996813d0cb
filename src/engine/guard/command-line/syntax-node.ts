// The tree of one line as plain objects, taken from the parser in one pass, so that nothing of the parser's own memory
// outlives a reading. Every character of the line must be inside a token or be blank: what the grammar skipped is reported.
import type { Language, TreeCursor } from 'web-tree-sitter';

export interface SyntaxNode {
  readonly type: string;
  readonly isNamed: boolean;
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

export interface SyntaxTree {
  readonly root: SyntaxNode;
  /** Why the tree may not be what the shell will make of the line; null where it can be relied on. */
  readonly problem: string | null;
}

const maxDepth = 150;

/** A kind of node, looked up once: asking the parser for it again costs more than all else that is done with a node. */
interface NodeKind {
  readonly type: string;
  readonly isNamed: boolean;
  readonly isToken: boolean;
}

export interface ParsedSource {
  readonly source: string;
  readonly hasError: boolean;
  readonly language: Language;
}

/** Takes the tree that a fresh cursor stands on. */
export function toSyntaxTree(cursor: TreeCursor, { source, hasError, language }: ParsedSource): SyntaxTree {
  let problem: string | null = hasError ? 'it is not written as the grammar of the shell expects' : null;
  let tokenEnd = 0;

  const take = (depth: number): SyntaxNode => {
    const { type, isNamed, isToken } = toKind(cursor.nodeTypeId, language);
    const { startIndex: start, endIndex: end } = cursor;
    const children: SyntaxNode[] = [];
    if (depth > maxDepth) problem ??= 'it is nested too deeply';
    else if (!isToken && cursor.gotoFirstChild()) {
      do children.push(take(depth + 1));
      while (cursor.gotoNextSibling());
      cursor.gotoParent();
    }
    if (children.length === 0 && end > start) takeToken(type, start, end);
    return { type, isNamed, start, end, children };
  };

  const takeToken = (type: string, start: number, end: number): void => {
    const gap = source.slice(tokenEnd, start);
    if (!isBlank(gap)) problem ??= 'a part of it belongs to no command';
    if (tokenEnd > 0 && gap.startsWith('\\') && /^(?:\\\n)+$/.test(gap))
      problem ??= 'a line is continued inside a word';
    if (hidesExpansion(type, source, start, end)) problem ??= 'an expansion in it was not recognised';
    if (type === 'comment' && !startsComment(source, start)) problem ??= 'it is not clear where a comment begins';
    tokenEnd = end;
  };

  const root = take(0);
  if (!isBlank(source.slice(tokenEnd))) problem ??= 'a part of it belongs to no command';
  return { root, problem };
}

const kinds = new Map<number, NodeKind>();
const namedTokens = new Set([
  'word',
  'variable_name',
  'raw_string',
  'string_content',
  'comment',
  'file_descriptor',
  'test_operator',
]);

function toKind(id: number, language: Language): NodeKind {
  const known = kinds.get(id);
  if (known !== undefined) return known;
  const type = language.nodeTypeForId(id) ?? 'ERROR';
  const isNamed = type === 'ERROR' || language.nodeTypeIsNamed(id);
  const kind = { type, isNamed, isToken: !isNamed || namedTokens.has(type) };
  kinds.set(id, kind);
  return kind;
}

/** What separates words for the shell; other white space is a character of a word like any other. */
function isBlank(text: string): boolean {
  return text === '' || text === ' ' || /^(?:[ \t\n]|\\\n)*$/.test(text);
}

/** Tokens inside which nothing is expanded, and those that begin an expansion. */
const inertTokens = new Set([
  'raw_string',
  'ansi_c_string',
  'comment',
  'heredoc_start',
  'heredoc_end',
  // Bodies of here-documents are looked at together with their marks.
  'heredoc_body',
  'heredoc_content',
  '`',
  '$(',
  '${',
  '$((',
  '$[',
]);

/** A token that the grammar took for plain text although the shell would expand something in it. */
function hidesExpansion(type: string, source: string, start: number, end: number): boolean {
  if (inertTokens.has(type)) return false;
  for (let at = start; at < end; at++) {
    const character = source[at];
    if (character === '\\') at++;
    else if (character === '`') return true;
    else if (character === '$' && at + 1 < end && '({['.includes(source[at + 1] ?? '')) return true;
  }
  return false;
}

function startsComment(source: string, start: number): boolean {
  return start === 0 || ' \t\n;&|()<>'.includes(source[start - 1] ?? '');
}
