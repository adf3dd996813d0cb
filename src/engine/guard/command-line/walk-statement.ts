// Reads one statement of the tree. A kind of node that is not known here hides whatever it holds, and is looked through all
// the same for commands that a rule may deny.
import { afterEither, anywhere, type Directories, type Ending, staysIn } from './directories.ts';
import { isHarmlessForShell } from './is-harmless-variable.ts';
import { type Shell, textOf } from './shell.ts';
import type { SyntaxNode } from './syntax-node.ts';
import { walkAssignment, walkDeclaration } from './walk-assignment.ts';
import { walkCommand, walkTest } from './walk-command.ts';
import { walkExpansions } from './walk-expansions.ts';
import { isRedirect, isWordNode, walkAfterHereDocument, walkRedirect } from './walk-redirect.ts';
import { walkCase, walkIf, walkList, walkLoop, walkSequence } from './walk-sequence.ts';

export function walkStatement(shell: Shell, node: SyntaxNode, directories: Directories): Ending {
  const { children } = node;
  switch (node.type) {
    case 'program':
      return walkSequence(shell, children, directories);
    case 'command':
      return walkCommand(shell, node, [], directories);
    case 'compound_statement':
      if (children[0]?.type === '((')
        return hide(shell, node, 'evaluating it as numbers can run commands', directories);
      return walkSequence(shell, children, directories);
    case 'do_group':
      return walkSequence(shell, children, directories);
    case 'subshell':
      walkSequence(shell, children, directories);
      return staysIn(directories);
    case 'pipeline':
      return walkPipeline(shell, node, directories);
    case 'list':
      return walkList(shell, children, staysIn(directories));
    case 'negated_command':
      return walkNegated(shell, node, directories);
    case 'redirected_statement':
      return walkRedirected(shell, node, directories);
    case 'variable_assignment':
      return walkAssignment(shell, node, directories);
    case 'variable_assignments':
      return children.reduce(
        (ending, child) => (child.isNamed ? shell.walk(child, ending.success) : ending),
        staysIn(directories),
      );
    case 'declaration_command':
    case 'unset_command':
      return walkDeclaration(shell, node, directories);
    case 'test_command':
      return walkTest(shell, node, directories);
    case 'if_statement':
      return walkIf(shell, node, directories);
    case 'while_statement':
      return walkLoop(directories, (start) => walkWhile(shell, node, start));
    case 'for_statement':
    case 'c_style_for_statement':
      return walkFor(shell, node, directories);
    case 'case_statement':
      return walkCaseStatement(shell, node, directories);
    case 'function_definition':
      // It can be called from anywhere, also before the line has come this far in a loop.
      for (const child of children.filter(({ type }) => type !== 'word')) if (child.isNamed) walkBody(shell, child);
      return staysIn(directories);
    case 'file_redirect':
      // `$(<file)` has no command at all.
      for (const word of walkRedirect(shell, node, directories))
        shell.parts.hidden(textOf(shell, word), 'no command takes this word', directories);
      return staysIn(directories);
    case 'comment':
    case 'heredoc_body':
    case 'heredoc_end':
      return staysIn(directories);
    default:
      return hide(shell, node, 'this part of it is not understood', directories);
  }
}

/** Hides a part, and still reads every command that can be seen in it. */
function hide(shell: Shell, node: SyntaxNode, reason: string, directories: Directories): Ending {
  shell.parts.hidden(textOf(shell, node), reason, directories);
  for (const child of node.children) {
    if (isRedirect(child)) walkRedirect(shell, child, null);
    else if (!child.isNamed || isWordNode(child)) walkExpansions(shell, child, null);
    else if (child.children.length > 0) shell.walk(child, null);
  }
  return anywhere;
}

function walkBody(shell: Shell, node: SyntaxNode): void {
  if (isRedirect(node)) walkRedirect(shell, node, null);
  else shell.walk(node, null);
}

/** Each part runs in a shell of its own, and all but the first read what the one before them writes. */
function walkPipeline(shell: Shell, { children }: SyntaxNode, directories: Directories): Ending {
  const fed: Shell = { ...shell, isFed: true, walk: (node, start) => walkStatement(fed, node, start) };
  for (const [index, child] of children.entries())
    if (child.isNamed) (index === 0 ? shell : fed).walk(child, directories);
  return staysIn(directories);
}

function walkNegated(shell: Shell, { children }: SyntaxNode, directories: Directories): Ending {
  const { success, failure } = walkSequence(shell, children, directories);
  return { success: failure, failure: success };
}

/** Redirects belong to the last command of a list, and are opened where that one starts. */
function walkRedirected(shell: Shell, node: SyntaxNode, directories: Directories): Ending {
  const redirects = node.children.filter(isRedirect);
  const [body] = node.children.filter((child) => child.isNamed && !isRedirect(child) && child.type !== 'comment');
  return walkUnderRedirects(shell, { body, redirects }, directories);
}

interface Redirected {
  readonly body: SyntaxNode | undefined;
  readonly redirects: readonly SyntaxNode[];
}

function walkUnderRedirects(shell: Shell, { body, redirects }: Redirected, directories: Directories): Ending {
  if (body?.type === 'command') return walkCommand(shell, body, redirects, directories);
  const last = body?.children.at(-1);
  if ((body?.type === 'list' || body?.type === 'pipeline') && last !== undefined) {
    const joined: SyntaxNode = { ...last, type: 'redirected_statement', children: [last, ...redirects] };
    return shell.walk({ ...body, children: [...body.children.slice(0, -1), joined] }, directories);
  }
  const late = redirects.flatMap((redirect) => walkRedirect(shell, redirect, directories));
  const ending = body === undefined ? staysIn(directories) : shell.walk(body, directories);
  for (const word of late) shell.parts.hidden(textOf(shell, word), 'no command takes this word', directories);
  return redirects.reduce(
    (sofar, redirect) => (redirect.type === 'heredoc_redirect' ? walkAfterHereDocument(shell, redirect, sofar) : sofar),
    ending,
  );
}

function walkWhile(shell: Shell, { children }: SyntaxNode, directories: Directories): Ending {
  const isBody = ({ type }: SyntaxNode) => type === 'do_group';
  const condition = walkSequence(
    shell,
    children.filter((child) => !isBody(child)),
    directories,
  );
  const body = walkSequence(shell, children.filter(isBody), condition.success);
  return { success: afterEither(body), failure: condition.failure };
}

function walkFor(shell: Shell, node: SyntaxNode, directories: Directories): Ending {
  const isBody = ({ type }: SyntaxNode) => type === 'do_group' || type === 'compound_statement';
  const head = node.children.filter((child) => child.isNamed && !isBody(child));
  for (const child of head) walkExpansions(shell, child, directories);
  if (node.type === 'c_style_for_statement')
    shell.parts.hidden(textOf(shell, node), 'evaluating it as numbers can run commands', directories);
  const variable = head.find(({ type }) => type === 'variable_name');
  if (variable !== undefined && !isHarmlessForShell(textOf(shell, variable)))
    shell.parts.hidden(textOf(shell, node), 'it sets a variable that the shell or programs may act on', directories);
  return walkLoop(directories, (start) => walkSequence(shell, node.children.filter(isBody), start));
}

function walkCaseStatement(shell: Shell, { children }: SyntaxNode, directories: Directories): Ending {
  const items = children.filter(({ type }) => type === 'case_item');
  for (const child of children) if (child.type !== 'case_item') walkExpansions(shell, child, directories);
  for (const { children: parts } of items) {
    const open = parts.findIndex(({ isNamed, type }) => !isNamed && type === ')');
    for (const pattern of parts.slice(0, open)) walkExpansions(shell, pattern, directories);
  }
  return walkCase(shell, items, directories);
}
