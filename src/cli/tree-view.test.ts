import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { simulateRun } from '../../test/support/simulate-run.ts';
import { toTree } from '../engine/run/to-tree.ts';
import { rootAgentId, toChildId } from '../shared/id.ts';
import type { AgentStatus, RunTree, TreeNode } from '../shared/run-tree.ts';
import { createTreeJson, createTreeLog, createTreeScreen } from './tree-view.ts';

const {
  nodes: [node],
  ...tree
} = toTree(simulateRun({ random: () => 0.5, maxEvents: 1 }).state);
const asking: AgentStatus = { kind: 'working', at: 'model' };
const queued: AgentStatus = { kind: 'queued' };

/** Agents that are doing this. */
const show = (...statuses: readonly AgentStatus[]): RunTree => ({ ...tree, nodes: statuses.map(toNode) });

function toNode(status: AgentStatus, place: number): TreeNode {
  if (node === undefined) throw new Error('A tree has a root');
  return { ...node, status, agentId: place === 0 ? rootAgentId : toChildId(rootAgentId, 1, place - 1) };
}

function collect() {
  const texts: string[] = [];
  return { texts, write: (text: string) => void texts.push(text) };
}

describe('a tree that is watched', () => {
  it('is drawn over itself on a terminal', () => {
    const output = Object.assign(new PassThrough({ encoding: 'utf8' }), { rows: 24, columns: 80 });
    const draw = createTreeScreen(output);
    draw(show(asking, queued));
    output.read();
    draw(show(asking));
    const text = String(output.read());
    expect(text.startsWith('\u001b[3A\r\u001b[J\u001b[?7l')).toBe(true);
    expect(text.split('\n')).toHaveLength(3);
  });

  it('is never longer than the terminal, and says what is left out', () => {
    const output = Object.assign(new PassThrough({ encoding: 'utf8' }), { rows: 5, columns: 80 });
    createTreeScreen(output)(show(asking, queued, queued, queued, queued));
    const lines = String(output.read()).split('\n');
    expect([lines.length, lines[3]]).toEqual([5, '  and 3 more: see them all without --watch']);
  });

  it('is a line for each agent that has come to do something else where there is no terminal', () => {
    const { texts, write } = collect();
    const tell = createTreeLog(write);
    tell(show(asking, queued));
    tell(show(asking, queued));
    tell(show(asking, asking));
    expect(texts.map((text) => /root\S* {2}[^:]+/.exec(text)?.[0])).toEqual([
      'root  working',
      'root/1.0  queued',
      'root/1.0  working',
    ]);
  });

  it('is the node itself for scripts, whenever anything of it has changed', () => {
    const { texts, write } = collect();
    const tell = createTreeJson(write);
    tell(show(asking));
    tell(show(asking));
    tell(show(queued));
    expect(texts.map((text) => JSON.parse(text))).toMatchObject([
      { runId: tree.runId, agentId: 'root', status: asking },
      { runId: tree.runId, agentId: 'root', status: queued },
    ]);
  });
});
