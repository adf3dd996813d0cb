// From a text to the tree of its values, each with its place. Comments and trailing commas pass; a key that is there twice
// does not, since readers disagree about which of the two counts.
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { PolicyProblem } from './policy-problem.ts';

export type JsoncTree =
  | { readonly kind: 'tree'; readonly root: Node; readonly problems: readonly PolicyProblem[] }
  | { readonly kind: 'unreadable'; readonly offset: number; readonly reason: string };

/** The tree of `text`, or the first place where it is no JSON. */
export function readJsoncTree(text: string): JsoncTree {
  const tooDeep = findDepth(text, maxDepth);
  if (tooDeep !== null) return { kind: 'unreadable', offset: tooDeep, reason: `nests deeper than ${maxDepth} levels` };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) return { kind: 'unreadable', offset: first.offset, reason: toWords(first) };
  if (root === undefined) return { kind: 'unreadable', offset: 0, reason: 'holds no value: write `{}` for no rules' };
  return { kind: 'tree', root, problems: findDuplicateKeys(root) };
}

/** A policy has six levels; the parser below calls itself once for each. */
const maxDepth = 32;

/** Where the text first nests deeper than `limit`. */
function findDepth(text: string, limit: number): number | null {
  const scanner = createScanner(text, true);
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const head = text[scanner.getTokenOffset()];
    if (head === '{' || head === '[') depth++;
    else if (head === '}' || head === ']') depth--;
    if (depth > limit) return scanner.getTokenOffset();
  }
  return null;
}

function toWords({ error }: ParseError): string {
  const words = printParseErrorCode(error).replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `is not JSON:${words}`;
}

/** `path` leads to the node. */
function findDuplicateKeys(node: Node, path: PolicyProblem['path'] = []): PolicyProblem[] {
  const children = node.children ?? [];
  if (node.type !== 'object') return children.flatMap((child, index) => findDuplicateKeys(child, [...path, index]));
  const keys = new Set<string>();
  return children.flatMap(({ children: [name, value] = [] }) => {
    const key = String(name?.value);
    const place = [...path, key];
    const message = 'is there twice: which of the two is meant?';
    const duplicate = keys.has(key) ? [{ path: place, message }] : [];
    keys.add(key);
    return [...duplicate, ...(value === undefined ? [] : findDuplicateKeys(value, place))];
  });
}
