import { describe, expect, it } from 'vitest';
import { simulateRun } from '../../test/support/simulate-run.ts';
import { toTree } from '../engine/run/to-tree.ts';
import { rootAgentId, toChildId } from '../shared/id.ts';
import type { AgentStatus, RunTree, TreeNode } from '../shared/run-tree.ts';
import { describeStatus, toTreeLines } from './tree-lines.ts';

const {
  nodes: [node],
  ...head
} = toTree(simulateRun({ random: () => 0.5, maxEvents: 1 }).state);
const root: TreeNode = {
  ...(node ?? fail()),
  title: 'Do it',
  status: {
    kind: 'waiting',
    for: 'agents',
    agents: ['1', '2', '3', '4', '5'].map((_each, call) => toChildId(rootAgentId, 1, call)),
  },
  steps: 1,
  spent: { ...none(), tokens: 12_345, costUsd: 0.25, reserved: { requests: 1, tokens: 9000, costUsd: 0.1 } },
  left: { steps: null, tokens: 78_655, costUsd: 0.65, wallMs: 30_400 },
};
const child: TreeNode = {
  ...root,
  agentId: toChildId(rootAgentId, 1, 0),
  parent: rootAgentId,
  depth: 1,
  title: 'Fix\u001b[2K it',
  status: { kind: 'working', at: 'calls', tools: ['exec', 'exec'] },
  spent: { ...none(), unknown: { requests: 2, tokens: 5, costUsd: null } },
  left: { steps: 4, tokens: null, costUsd: null, wallMs: null },
};
const tree: RunTree = { ...head, activeMs: 1500, nodes: [root, child] };

function none(): TreeNode['spent'] {
  const nothing = { requests: 0, tokens: 0, costUsd: 0 };
  return { tokens: 0, costUsd: null, unknown: nothing, reserved: nothing };
}

function fail(): never {
  throw new Error('A tree has a root');
}

describe('the lines of a tree', () => {
  it('tell of every agent what it does, has spent and has left, and of the tree what is left of it', () => {
    expect(toTreeLines(tree)).toEqual([
      `${head.runId}  2 agents: 1 at work, 0 ended; 1.5 s; 78,655 tokens, $0.6500, 30 s left for the tree`,
      '  root  waiting for agents: root/1.0, root/1.1, root/1.2 and 2 more  1 step, 12,345 tokens, $0.2500, 9,000 set aside  78,655 tokens, $0.6500, 30 s left  Do it',
      '    root/1.0  working: exec  1 step, 0 tokens, 2 unanswered and perhaps billed  4 steps left  Fix\\u{1b}[2K it',
    ]);
  });

  it.each<[AgentStatus, string]>([
    [{ kind: 'working', at: 'model' }, 'working: asks its model'],
    [{ kind: 'working', at: 'check' }, 'working: is checked'],
    [{ kind: 'waiting', for: 'retry' }, 'waiting to ask its model again'],
    [{ kind: 'waiting', for: 'messages' }, 'waiting for messages'],
    [{ kind: 'waiting', for: 'room' }, 'waiting for others to leave it room in the budget'],
    [{ kind: 'waiting', for: 'answer', requests: ['q'] }, 'waiting for an answer: q'],
    [{ kind: 'queued' }, 'queued: as many are at work as may be'],
    [{ kind: 'paused', by: 'ada', isBusy: false }, 'paused by ada'],
    [{ kind: 'paused', by: 'ada', isBusy: true }, 'paused by ada, once what is under way is over'],
    [{ kind: 'cancelling', by: 'ada' }, 'being cancelled by ada'],
    [{ kind: 'resting' }, 'at rest until the run is resumed'],
    [{ kind: 'ended', outcome: { kind: 'cancelled', by: 'ada' } }, 'ended: cancelled by ada'],
    [{ kind: 'ended', outcome: { kind: 'budget', which: 'tokens', reason: '' } }, 'ended: budget for tokens spent'],
    [{ kind: 'ended', outcome: { kind: 'met', checked: true } }, 'ended: met'],
  ])('say %o in plain words', (status, words) => {
    expect(describeStatus(status)).toBe(words);
  });
});
