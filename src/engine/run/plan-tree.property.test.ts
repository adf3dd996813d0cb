import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../test/support/create-random.ts';
import { findOverspent } from '../../../test/support/read-tree.ts';
import type { Simulation } from '../../../test/support/simulate-run.ts';
import { simulateTree, treeKindOf } from '../../../test/support/simulate-tree.ts';
import type { JournalEvent, Posture } from '../../shared/event.ts';
import { foldRun } from '../../shared/fold-run.ts';
import type { AgentState, LedgerState, RunState } from '../../shared/run-state.ts';
import { totalTokens } from '../../shared/usage.ts';
import { plan } from './plan.ts';

const anyTree = fc
  .record({
    seed: fc.integer(),
    crashChance: fc.constantFrom(0, 0.02),
    wordChance: fc.constantFrom(0, 0.1),
    resumes: fc.constantFrom(0, 3),
    posture: fc.constantFrom<Posture>('all', 'ask', 'deny', 'defer'),
    verification: fc.constantFrom('none', 'command'),
    budgets: fc.record({
      steps: fc.integer({ min: 1, max: 12 }),
      tokens: fc.constantFrom(null, 20_000, 60_000),
      wallMs: fc.constantFrom(null, 500),
    }),
  })
  .map(({ seed, ...options }) => simulateTree({ ...options, random: createRandom(seed) }));

const check = (property: (tree: Simulation) => void, numRuns = 100): void =>
  fc.assert(fc.property(anyTree, property), { numRuns });

describe('plan, for a tree of agents', () => {
  it('leads every run to an outcome, and with a final one every agent to its end', () => {
    check(({ state }) => {
      expect(state.outcome).not.toBeNull();
      const kind = state.outcome?.kind;
      if (kind !== 'met' && kind !== 'finished' && kind !== 'notMet' && kind !== 'cancelled') return;
      const live = listSpawned(state).filter(({ ended }) => ended === null);
      expect(live).toEqual([]);
    });
  });

  it('lets no ledger of the tree be spent beyond its ceiling, at any moment', () => {
    check(({ events }) => {
      expect(findOverspent(events)).toEqual([]);
    });
  });

  it('keeps every agent within its turns, and the tree within its caps', () => {
    check(({ state }) => {
      const agents = listSpawned(state);
      const over = agents.filter(({ step, assignment }) => step > (assignment?.budgets.steps ?? 0));
      expect(over).toEqual([]);
      expect(agents.length).toBeLessThanOrEqual(8);
      expect(Math.max(0, ...agents.map(({ assignment }) => assignment?.depth ?? 0))).toBeLessThanOrEqual(2);
    });
  });

  it('lets nobody outlive whom they work for', () => {
    check(({ events, state }) => {
      const endedAt = new Map(
        events.flatMap((event) => (event.type === 'agent-finish' ? [[event.agentId, event.seq]] : [])),
      );
      const late = listSpawned(state).filter(({ agentId, assignment }) => {
        const parentEnd = assignment === null ? undefined : endedAt.get(assignment.parent);
        return parentEnd !== undefined && !((endedAt.get(agentId) ?? Number.POSITIVE_INFINITY) < parentEnd);
      });
      expect(late).toEqual([]);
    });
  });

  it('lets no agent claim to be done before it was told of all that it has spawned', () => {
    check(({ state }) => {
      const claimed = listSpawned(state).filter(({ ended }) => ended?.outcome.kind === 'finished');
      const untold = claimed.flatMap(({ children }) =>
        children.filter((child) => agentIn(state, child).assignment?.isCollected !== true),
      );
      expect(untold).toEqual([]);
    });
  });

  it('tells of no agent how it ended before it has ended, and of none twice', () => {
    check(({ events }) => {
      const ended = new Set<string>();
      const told = new Set<string>();
      for (const event of events) {
        if (event.type === 'agent-finish') ended.add(event.agentId);
        if (event.type !== 'observation') continue;
        for (const agent of event.agents ?? []) {
          expect([agent, ended.has(agent), told.has(agent)]).toEqual([agent, true, false]);
          told.add(agent);
        }
      }
    });
  });

  it('does not change the state it reads, and gives the same actions again', () => {
    check(({ events }) => {
      for (let length = 1; length <= events.length; length += 7) {
        const state = fold(events.slice(0, length));
        const before = structuredClone(state);
        const now = { activeMs: state.activeMs };
        expect(plan(state, now, treeKindOf)).toEqual(plan(state, now, treeKindOf));
        expect(state).toEqual(before);
      }
    }, 15);
  });
});

describe('the ledgers of a tree', () => {
  it('hold what the agent has spent and what all have that work for it, and nothing is set aside at the end', () => {
    check(({ events, state }) => {
      for (const agent of Object.values(state.agents)) {
        const ledger = ledgerOf(state, agent);
        const below = agent.children.map((child) => totalTokens(ledgerOf(state, agentIn(state, child)).settled));
        const own = events
          .filter(({ agentId }) => agentId === agent.agentId)
          .reduce((sum, event) => sum + spentBy(event), 0);
        expect(totalTokens(ledger.settled)).toBe(below.reduce((sum, tokens) => sum + tokens, own));
        expect(ledger.outstanding).toEqual({ requests: 0, tokens: 0, costUsd: 0 });
      }
    });
  });
});

describe('the fold of a tree', () => {
  it('goes on from a snapshot that was sent as JSON, at any point', () => {
    fc.assert(
      fc.property(anyTree, fc.double({ min: 0, max: 1, noNaN: true }), ({ events, state }, place) => {
        const cut = 1 + Math.floor(place * (events.length - 1));
        const snapshot = JSON.parse(JSON.stringify(foldRun(null, events.slice(0, cut))));
        expect(foldRun(snapshot, events.slice(cut))).toEqual(state);
      }),
      { numRuns: 50 },
    );
  });
});

const listSpawned = (state: RunState): AgentState[] =>
  Object.values(state.agents).filter(({ assignment }) => assignment !== null);

const ledgerOf = (state: RunState, { assignment }: AgentState): LedgerState => assignment?.ledger ?? state.ledger;

function agentIn(state: RunState, agentId: AgentState['agentId']): AgentState {
  const agent = state.agents[agentId];
  if (agent === undefined) throw new Error(`There is no agent ${agentId}`);
  return agent;
}

function spentBy(event: JournalEvent): number {
  if (event.type === 'model-finish') return totalTokens(event.usage);
  return event.type === 'model-fail' && event.usage !== undefined ? totalTokens(event.usage) : 0;
}

function fold(events: readonly JournalEvent[]): RunState {
  const state = foldRun(null, events);
  if (state === null) throw new Error('No events, no state');
  return state;
}
