// Statements one after the other, and the ways in which the shell puts them together. Where a command may or may not have
// run, what follows is read for both.
import {
  afterEither,
  anywhere,
  type Directories,
  type Ending,
  joinDirectories,
  joinEndings,
  staysIn,
} from './directories.ts';
import type { Shell } from './shell.ts';
import type { SyntaxNode } from './syntax-node.ts';

/** Statements between `;`, `&` and line ends. */
export function walkSequence(shell: Shell, nodes: readonly SyntaxNode[], directories: Directories): Ending {
  let ending = staysIn(directories);
  for (const [index, node] of nodes.entries()) {
    if (!isStatement(node)) continue;
    const start = afterEither(ending);
    const own = shell.walk(node, start);
    ending = isBackground(nodes, index) ? staysIn(start) : own;
  }
  return ending;
}

/** `&&` and `||`, which bind equally and from the left. */
export function walkList(shell: Shell, nodes: readonly SyntaxNode[], ending: Ending): Ending {
  let sofar = ending;
  let operator = '';
  for (const node of nodes) {
    if (!isStatement(node)) {
      if (!node.isNamed) operator = node.type;
    } else if (operator === '&&') {
      const next = shell.walk(node, sofar.success);
      sofar = { success: next.success, failure: joinDirectories(sofar.failure, next.failure) };
    } else if (operator === '||') {
      const next = shell.walk(node, sofar.failure);
      sofar = { success: joinDirectories(sofar.success, next.success), failure: next.failure };
    } else sofar = shell.walk(node, afterEither(sofar));
  }
  return sofar;
}

export function walkIf(shell: Shell, { children }: SyntaxNode, directories: Directories): Ending {
  const endings: Ending[] = [];
  let otherwise = walkBranch(shell, children, directories, endings);
  for (const clause of children) {
    if (clause.type === 'elif_clause') otherwise = walkBranch(shell, clause.children, otherwise, endings);
    if (clause.type === 'else_clause') endings.push(walkSequence(shell, clause.children, otherwise));
  }
  return joinEndings(...endings, staysIn(otherwise));
}

/** One condition with what it guards; answers where the shell is when the condition did not hold. */
function walkBranch(
  shell: Shell,
  children: readonly SyntaxNode[],
  directories: Directories,
  endings: Ending[],
): Directories {
  const then = children.findIndex(({ isNamed, type }) => !isNamed && type === 'then');
  const condition = walkSequence(shell, children.slice(0, then), directories);
  const clauses = children.findIndex(({ type }) => type === 'elif_clause' || type === 'else_clause');
  const body = children.slice(then + 1, clauses === -1 ? undefined : clauses);
  endings.push(walkSequence(shell, body, condition.success));
  return condition.failure;
}

/** What runs any number of times: when it may end elsewhere than it began, it may also begin anywhere. */
export function walkLoop(directories: Directories, walkOnce: (directories: Directories) => Ending): Ending {
  const after = joinDirectories(directories, afterEither(walkOnce(directories)));
  if (after?.length === directories?.length) return staysIn(directories);
  walkOnce(null);
  return anywhere;
}

export function walkCase(shell: Shell, items: readonly SyntaxNode[], directories: Directories): Ending {
  const endings: Ending[] = [staysIn(directories)];
  let start = directories;
  for (const { children } of items) {
    const open = children.findIndex(({ isNamed, type }) => !isNamed && type === ')');
    const ending = walkSequence(shell, children.slice(open + 1), start);
    endings.push(ending);
    // `;&` goes on with the next item, `;;&` with the next that fits.
    const fallsThrough = children.some(({ type }) => type === ';&' || type === ';;&');
    start = fallsThrough ? joinDirectories(start, afterEither(ending)) : directories;
  }
  return joinEndings(...endings);
}

function isStatement({ isNamed, type }: SyntaxNode): boolean {
  return isNamed && type !== 'comment' && type !== 'elif_clause' && type !== 'else_clause';
}

/** It runs in a shell of its own when the next sign is `&`. */
function isBackground(nodes: readonly SyntaxNode[], index: number): boolean {
  let next = index + 1;
  while (nodes[next]?.type === 'comment') next++;
  return nodes[next]?.isNamed === false && nodes[next]?.type === '&';
}
