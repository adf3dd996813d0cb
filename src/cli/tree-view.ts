// Where a tree is shown while it changes. A terminal has it drawn again in its place; what is no terminal is given a line for
// each agent that has come to do something else.
import type { RunTree, TreeNode } from '../shared/run-tree.ts';
import type { TerminalOutput } from './terminal.ts';
import { describeStatus, toNodeLine, toTreeLines } from './tree-lines.ts';

export type ShowTree = (tree: RunTree) => void;

export function createTreeScreen(output: TerminalOutput): ShowTree {
  let drawn = 0;
  return (tree) => {
    const lines = toFitting(toTreeLines(tree), (output.rows || 24) - 1); // A terminal that does not know says 0.
    const back = drawn === 0 ? '' : `\u001b[${drawn}A`;
    // A long line ends at the edge: one that went on below would not be counted.
    output.write(`${back}\r\u001b[J\u001b[?7l${lines.map((line) => `${line}\n`).join('')}\u001b[?7h`);
    drawn = lines.length;
  };
}

/** What has gone off the top of a terminal could not be drawn again. */
function toFitting(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines];
  const shown = lines.slice(0, Math.max(0, most - 1));
  return [...shown, `  and ${lines.length - shown.length} more: see them all without --watch`];
}

export function createTreeLog(write: (text: string) => void): ShowTree {
  const changed = createChanges(({ status }) => describeStatus(status));
  return (tree) => {
    const seconds = (tree.activeMs / 1000).toFixed(2).padStart(8);
    for (const node of changed(tree)) write(`${seconds}s${toNodeLine(node)}\n`);
  };
}

export function createTreeJson(write: (text: string) => void): ShowTree {
  const changed = createChanges((node) => JSON.stringify(node));
  return (tree) => {
    for (const node of changed(tree)) write(`${JSON.stringify({ runId: tree.runId, ...node })}\n`);
  };
}

/** Those of which something else is to be told than the last time. */
function createChanges(tell: (node: TreeNode) => string): (tree: RunTree) => readonly TreeNode[] {
  const told = new Map<string, string>();
  return ({ nodes }) =>
    nodes.filter((node) => {
      const text = tell(node);
      if (told.get(node.agentId) === text) return false;
      told.set(node.agentId, text);
      return true;
    });
}
