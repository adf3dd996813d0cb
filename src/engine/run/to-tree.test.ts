import { describe, expect, it } from 'vitest';
import { fakeBlob, simulateRun } from '../../../test/support/simulate-run.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import { type AgentId, rootAgentId, toChildId } from '../../shared/id.ts';
import { emptyLabel } from '../../shared/provenance.ts';
import type { AgentState, Assignment, CallStage, CallState, RunState } from '../../shared/run-state.ts';
import { startAgent, startLedger } from '../../shared/start-run-state.ts';
import { Budgets, Containment } from '../../shared/task-contract.ts';
import { toTree } from './to-tree.ts';

const { state: simulated } = simulateRun({ random: () => 0.5, maxEvents: 1 });
const [first, second] = [toChildId(rootAgentId, 1, 0), toChildId(rootAgentId, 1, 1)];
const below = toChildId(first, 2, 0);

/** A root with two agents, the first of which has one of its own. */
function open(change: (state: RunState) => void = () => undefined): RunState {
  const state = structuredClone(simulated);
  state.settings.containment = Containment.parse({ concurrent: 1 });
  state.settings.budgets = Budgets.parse({ steps: 9, tokens: 100_000 });
  state.outcome = null;
  for (const [agentId, parent] of [
    [first, rootAgentId],
    [second, rootAgentId],
    [below, first],
  ] as const) {
    state.agents[agentId] = startAgent({ agentId, assignment: toAssignment(state, parent), ...begun });
    agentOf(state, { agentId: parent }).children.push(agentId);
  }
  change(state);
  return state;
}

const begun = { system: fakeBlob('s'), prompt: fakeBlob('p'), label: emptyLabel() };

function toAssignment(state: RunState, parent: AgentId): Assignment {
  return {
    parent,
    depth: (agentOf(state, { agentId: parent }).assignment?.depth ?? 0) + 1,
    step: 1,
    call: 0,
    title: 'Part',
    task: fakeBlob('t'),
    verification: 'none',
    budgets: Budgets.parse({ steps: 5, tokens: 20_000 }),
    tools: [],
    toolBytes: 0,
    model: null,
    price: null,
    startedActiveMs: 0,
    isDetached: false,
    isCollected: false,
    ledger: startLedger(null),
    worktree: null,
  };
}

const call = (stage: CallStage, tool = 'exec'): CallState => ({
  ...{ call: 0, id: 'c', tool, stage, rounds: 0, recoveries: 0 },
  ...{ fingerprint: null, rewrite: null, lapsed: null, staged: null, isSensitive: false },
});
const held = (agents: readonly AgentId[]): CallStage => ({
  kind: 'held',
  until: { kind: 'agents', agents },
  untilActiveMs: null,
  isPatient: true,
});
const started: CallStage = { kind: 'started', class: 'repeat', change: null, result: null };
const asked: CallStage = {
  ...{ kind: 'waiting', request: 'q', digest: null, details: null, asked: null, because: '' },
  ...{ answer: null, isDeferred: false, isReviewed: false },
};

const statusesOf = (change: (state: RunState, agent: (agentId: AgentId) => AgentState) => void) =>
  toTree(open((state) => change(state, (agentId) => agentOf(state, { agentId })))).nodes.map(({ status }) => status);

const [asks, queued] = [{ kind: 'working', at: 'model' }, { kind: 'queued' }];

describe('the tree of a run', () => {
  it('names each agent below the one it works for, with what it has left of its own', () => {
    const state = open((each) => {
      const agent = agentOf(each, { agentId: first });
      agent.step = 2;
      const ledger = agent.assignment?.ledger;
      if (ledger === undefined) throw new Error('It was spawned');
      ledger.settled = { inputTokens: 900, outputTokens: 100, cachedInputTokens: 0 };
      ledger.outstanding = { requests: 1, tokens: 4000, costUsd: 0 };
    });
    const { nodes } = toTree(state);
    expect(nodes.map(({ agentId, parent, depth }) => [agentId, parent, depth])).toEqual([
      [rootAgentId, null, 0],
      [first, rootAgentId, 1],
      [below, first, 2],
      [second, rootAgentId, 1],
    ]);
    expect(nodes[1]).toMatchObject({
      steps: 2,
      spent: { tokens: 1000, costUsd: null, reserved: { requests: 1, tokens: 4000 } },
      left: { steps: 3, tokens: 15_000, costUsd: null, wallMs: null },
    });
  });

  it('tells who is at work, who waits for whom, and who stands in the queue', () => {
    const told = statusesOf((_state, agent) => {
      agent(rootAgentId).phase = { kind: 'acting', calls: [call(held([first, second]))] };
      agent(first).phase = { kind: 'acting', calls: [call(started)] };
    });
    expect(told).toEqual([
      { kind: 'waiting', for: 'agents', agents: [first, second] },
      { kind: 'working', at: 'calls', tools: ['exec'] },
      queued,
      queued,
    ]);
  });

  it.each<[string, AgentState['phase'], object]>([
    ['an answer', { kind: 'acting', calls: [call(asked)] }, { kind: 'waiting', for: 'answer', requests: ['q'] }],
    [
      'messages',
      { kind: 'acting', calls: [call({ kind: 'held', until: { kind: 'mail' }, untilActiveMs: 5, isPatient: true })] },
      { kind: 'waiting', for: 'messages' },
    ],
    ['its own agents', { kind: 'claiming' }, { kind: 'waiting', for: 'agents', agents: [below] }],
    ['a second try', { kind: 'backing-off', attempt: 1, untilActiveMs: 9 }, { kind: 'waiting', for: 'retry' }],
    ['nobody', { kind: 'asking', attempt: 1 }, asks],
  ])('tells of an agent that waits for %s', (_what, phase, status) => {
    expect(
      statusesOf((_state, agent) => {
        agent(first).phase = phase;
      })[1],
    ).toEqual(status);
  });

  it('tells of one that waits for room in the budget', () => {
    const told = statusesOf((state) => {
      state.ledger.outstanding = { requests: 1, tokens: 99_000, costUsd: 0 };
    });
    expect(told.slice(1)).toEqual([1, 2, 3].map(() => ({ kind: 'waiting', for: 'room' })));
  });

  it('tells of a pause and of a cancel to all that work for whom it was about', () => {
    const told = statusesOf((_state, agent) => {
      agent(first).wishes.pausedBy = 'ada';
      agent(below).phase = { kind: 'asking', attempt: 1 };
      agent(second).wishes.cancelledBy = 'bob';
    });
    expect(told.slice(1)).toEqual([
      { kind: 'paused', by: 'ada', isBusy: false },
      { kind: 'paused', by: 'ada', isBusy: true },
      { kind: 'cancelling', by: 'bob' },
    ]);
  });

  it('tells how they ended, and that the others rest while nobody drives the run', () => {
    const told = statusesOf((state, agent) => {
      state.outcome = { kind: 'interrupted', signal: 'SIGINT' };
      agent(first).ended = { outcome: { kind: 'finished', checked: false }, report: null };
    });
    expect([told[0], told[1], told[3]]).toEqual([
      { kind: 'ended', outcome: { kind: 'interrupted', signal: 'SIGINT' } },
      { kind: 'ended', outcome: { kind: 'finished', checked: false } },
      { kind: 'resting' },
    ]);
  });
});
