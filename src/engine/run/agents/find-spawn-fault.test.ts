import { describe, expect, it } from 'vitest';
import { asked, by, foldTree, replied, rootSpawns, type TreeStart } from '../../../../test/support/fold-tree.ts';
import { fakeBlob } from '../../../../test/support/simulate-run.ts';
import { AgentId } from '../../../shared/id.ts';
import type { RunState } from '../../../shared/run-state.ts';
import { findSpawnFault } from './find-spawn-fault.ts';

type Wish = Parameters<typeof findSpawnFault>[2];

const wish: Wish = {
  kind: 'spawn',
  task: { goal: 'A part.', verification: { kind: 'none' }, deny: [] },
  tools: null,
  budgets: {},
  model: null,
  role: null,
  isDetached: false,
  isApart: false,
};
const price = { inputPerMTok: 1, outputPerMTok: 1 };
const offer = {
  tools: ['read_file', 'spawn_agent'],
  priceOf: (model: string) => (model === 'priced' ? price : null),
  contract: { containment: null },
};

function faultIn(state: RunState, more: Partial<Wish> = {}, agent = 'root'): string | null {
  return findSpawnFault(state, { agentId: AgentId.parse(agent), step: 1 }, { ...wish, ...more }, offer);
}

const inTree = (start: TreeStart, more: Partial<Wish> = {}, agent = 'root') =>
  faultIn(foldTree(start, rootSpawns(2, { budgets: { tokens: 100 } })), more, agent);

describe('findSpawnFault', () => {
  it('finds nothing against what the caps and the contract allow', () => {
    const containment = { total: 4, depth: 2, models: ['other'] };
    const wishes: Partial<Wish>[] = [{}, { tools: ['read_file'] }, { model: 'chance' }, { model: 'other' }];
    expect(wishes.map((more) => inTree({ containment }, more))).toEqual([null, null, null, null]);
    expect(inTree({ containment }, {}, 'root/1.0')).toBeNull();
  });

  it('refuses every spawn of a run without containment', () => {
    const state = foldTree({});
    const alone = { ...state, settings: { ...state.settings, containment: null } };
    expect(faultIn(alone)).toBe('No agent was spawned: the contract of this run has no containment.');
  });

  it('names the cap on agents in all, and counts those that have ended', () => {
    const end = by('root/1.0', { type: 'agent-finish', outcome: { kind: 'cancelled', by: 'p' }, report, activeMs: 0 });
    expect(faultIn(foldTree({ containment: { total: 3 } }, rootSpawns(2), end))).toBe(
      'No agent was spawned: the cap on agents in all is 3, you included, and 3 were made; 0 are left.',
    );
  });

  it('names the cap on depth, and how deep whoever asks works', () => {
    expect(inTree({ containment: { depth: 1 } }, {}, 'root/1.1')).toBe(
      'No agent was spawned: the cap on depth is 1, and you work at depth 1; 0 are left. Do yourself what is to be done.',
    );
  });

  it('refuses a tool that whoever asks does not have, and lists those', () => {
    expect(inTree({}, { tools: ['read_file', 'shell'] })).toBe(
      'No agent was spawned: you have no tool "shell" to give. Yours are: read_file, spawn_agent.',
    );
  });

  it('refuses a model that the contract does not name, and lists those it does', () => {
    expect(inTree({ containment: { models: ['other'] } }, { model: 'best' })).toBe(
      'No agent was spawned: the contract allows no model "best" here. It allows: chance, other.',
    );
  });

  it('refuses a model without a price where money is limited, by whomever', () => {
    const start = { containment: { models: ['priced', 'other'] }, price };
    const refused = 'No agent was spawned: money is limited here, and nobody knows what the model "other" costs.';
    expect(inTree({ ...start, budgets: { costUsd: 1 } }, { model: 'other' }, 'root/1.0')).toBe(refused);
    expect(inTree({ ...start, budgets: { costUsd: 1 } }, { model: 'priced' })).toBeNull();
    expect(inTree(start, { model: 'other' })).toBeNull();
  });

  it('refuses a pattern that could never match, and says why', () => {
    const task = { ...wish.task, deny: [{ act: 'write' as const, pattern: 'src/**' }] };
    expect(inTree({}, { task })).toBe(
      'No agent was spawned: the pattern "src/**" in "deny" holds `**`: one `*` already spans `/`.',
    );
  });

  it('names the ceiling that is spent, and whose it is', () => {
    const spend = by('root/1.0', asked(90, 10), replied(['spawn_agent'], { usage: { inputTokens: 95 } }));
    const state = foldTree({ budgets: { tokens: 115 } }, rootSpawns(1, { budgets: { tokens: 100 } }), spend);
    expect(['root/1.0', 'root'].map((agent) => faultIn(state, {}, agent))).toEqual([
      'No agent was spawned: the cap on tokens is 100 for you and all below; 0 are left.',
      'No agent was spawned: the cap on tokens is 115 for you and all below; 0 are left.',
    ]);
    const above = foldTree({ budgets: { tokens: 115 } }, rootSpawns(1), spend);
    expect(faultIn(above, {}, 'root/1.0')).toBe(
      'No agent was spawned: the cap on tokens is 115 for root and all below; 0 are left.',
    );
  });

  it('names a ceiling on money that is spent', () => {
    const spend = by('root/1.0', asked(90, 10, 1), replied(['spawn_agent'], { costUsd: 1 }));
    const children = rootSpawns(1, { price, budgets: { costUsd: 1 } });
    expect(faultIn(foldTree({ price }, children, spend), {}, 'root/1.0')).toBe(
      'No agent was spawned: the cap on money is $1 for you and all below; 0 are left.',
    );
  });

  it('lets be what only open requests hold, of which more may be left than seems', () => {
    const open = by('root/1.0', asked(5000, 5000));
    expect(faultIn(foldTree({ budgets: { tokens: 10_000 } }, rootSpawns(2), open), {}, 'root/1.1')).toBeNull();
  });
});

const report = fakeBlob('report');
