// The agents of a run in plain words, a line each.
import { assertNever } from '../shared/assert-never.ts';
import type { RunOutcome } from '../shared/outcome.ts';
import type { AgentStatus, RunTree, TreeNode } from '../shared/run-tree.ts';
import { toVisible } from '../shared/to-visible.ts';
import { counted } from './counted.ts';
import { formatCount } from './verdict-lines.ts';

export function toTreeLines(tree: RunTree): string[] {
  return [toTreeHead(tree), ...tree.nodes.map(toNodeLine)];
}

/** The limits of the first agent are those of the whole tree. */
function toTreeHead({ runId, nodes, activeMs }: RunTree): string {
  const atWork = nodes.filter(({ status }) => status.kind === 'working').length;
  const ended = nodes.filter(({ status }) => status.kind === 'ended').length;
  const [root] = nodes;
  const left = root === undefined ? '' : `; ${describeLeft(root) || 'no limit'} for the tree`;
  return `${runId}  ${counted(nodes.length, 'agent')}: ${atWork} at work, ${ended} ended; ${(activeMs / 1000).toFixed(1)} s${left}`;
}

export function toNodeLine(node: TreeNode): string {
  const { agentId, depth, title, status } = node;
  const left = describeLeft(node);
  const parts = [`${'  '.repeat(depth + 1)}${agentId}`, describeStatus(status), describeSpent(node)];
  return [...parts, ...(left === '' ? [] : [left]), toVisible(title)].join('  ');
}

export function describeStatus(status: AgentStatus): string {
  switch (status.kind) {
    case 'working':
      return describeWork(status);
    case 'waiting':
      return describeWait(status);
    case 'queued':
      return 'queued: as many are at work as may be';
    case 'paused':
      return `paused by ${toVisible(status.by)}${status.isBusy ? ', once what is under way is over' : ''}`;
    case 'cancelling':
      return `being cancelled by ${toVisible(status.by)}`;
    case 'resting':
      return 'at rest until the run is resumed';
    case 'ended':
      return `ended: ${describeOutcome(status.outcome)}`;
    default:
      return assertNever(status);
  }
}

function describeWork(status: Extract<AgentStatus, { kind: 'working' }>): string {
  switch (status.at) {
    case 'model':
      return 'working: asks its model';
    case 'check':
      return 'working: is checked';
    case 'calls':
      return `working: ${toVisible([...new Set(status.tools)].join(', '))}`;
  }
}

function describeWait(status: Extract<AgentStatus, { kind: 'waiting' }>): string {
  switch (status.for) {
    case 'retry':
      return 'waiting to ask its model again';
    case 'messages':
      return 'waiting for messages';
    case 'room':
      return 'waiting for others to leave it room in the budget';
    case 'agents':
      return `waiting for agents: ${toFew(status.agents)}`;
    case 'answer':
      return `waiting for an answer: ${toFew(status.requests)}`;
  }
}

const namedItems = 3;

function toFew(names: readonly string[]): string {
  const more = names.length > namedItems ? ` and ${names.length - namedItems} more` : '';
  return `${toVisible(names.slice(0, namedItems).join(', '))}${more}`;
}

function describeOutcome(outcome: RunOutcome): string {
  switch (outcome.kind) {
    case 'cancelled':
      return `cancelled by ${toVisible(outcome.by)}`;
    case 'budget':
      return `budget for ${outcome.which} spent`;
    default:
      return outcome.kind;
  }
}

function describeSpent({ steps, spent }: TreeNode): string {
  const { tokens, costUsd, unknown, reserved } = spent;
  const money = costUsd === null ? '' : `, $${costUsd.toFixed(4)}`;
  const doubt = unknown.requests === 0 ? '' : `, ${unknown.requests} unanswered and perhaps billed`;
  const open = reserved.requests === 0 ? '' : `, ${formatCount(reserved.tokens)} set aside`;
  return `${counted(steps, 'step')}, ${formatCount(tokens)} tokens${money}${doubt}${open}`;
}

/** Empty where there is no limit. */
function describeLeft({ left: { steps, tokens, costUsd, wallMs } }: TreeNode): string {
  const parts = [
    ...(steps === null ? [] : [counted(steps, 'step')]),
    ...(tokens === null ? [] : [`${formatCount(tokens)} tokens`]),
    ...(costUsd === null ? [] : [`$${costUsd.toFixed(4)}`]),
    ...(wallMs === null ? [] : [`${Math.round(wallMs / 1000)} s`]),
  ];
  return parts.length === 0 ? '' : `${parts.join(', ')} left`;
}
