import { describe, expect, it } from 'vitest';
import { agentIn, by, done, foldTree, rootSpawns, spawned, type Told } from '../../test/support/fold-tree.ts';
import { cancelledBy, deadlineOf, hasLiveChildren, isPaused, isWithin, pathOf, settingsOf } from './agent-tree.ts';
import { AgentId } from './id.ts';

const person = { actor: 'p' };

/** `root/1.0` has spawned `root/1.0/1.0` as well. */
const deeper: Told[] = [
  ...rootSpawns(2, { budgets: { wallMs: 500 }, activeMs: 100 }),
  ...by('root/1.0', spawned('root/1.0', 1, 0, { isDetached: true, activeMs: 300, budgets: { wallMs: 200 } })),
];

describe('the tree of agents', () => {
  it('leads from an agent to the root', () => {
    const state = foldTree({}, deeper);
    expect([...pathOf(state, agentIn(state, 'root/1.0/1.0'))].map(({ agentId }) => agentId)).toEqual([
      'root/1.0/1.0',
      'root/1.0',
      'root',
    ]);
  });

  it('tells one that works for another from one whose name only begins the same', () => {
    const names = ['root', 'root/1.1', 'root/1.1/2.0', 'root/1.10'].map((name) => AgentId.parse(name));
    expect(names.map((name) => isWithin(name, AgentId.parse('root/1.1')))).toEqual([false, true, true, false]);
  });

  it('holds an agent to the time of everybody it works for, each from when it began', () => {
    const deadlines = (wallMs: number | null) => {
      const state = foldTree({ budgets: { wallMs } }, deeper);
      return ['root', 'root/1.0', 'root/1.0/1.0'].map((agent) => deadlineOf(state, agentIn(state, agent)));
    };
    expect([deadlines(null), deadlines(450)]).toEqual([
      [Number.POSITIVE_INFINITY, 600, 500],
      [450, 450, 450],
    ]);
  });

  it('halts with an agent all that work for it, and with the run everybody', () => {
    const haltedBy = (...told: Told[]) => {
      const state = foldTree({}, deeper, told);
      return ['root', 'root/1.0', 'root/1.0/1.0', 'root/1.1'].map((agent) => [
        cancelledBy(state, agentIn(state, agent)),
        isPaused(state, agentIn(state, agent)),
      ]);
    };
    const [no, paused, cancelled] = [
      [null, false],
      [null, true],
      ['p', false],
    ];
    const agent = AgentId.parse('root/1.0');
    expect(haltedBy(...by('root', { type: 'run-pause', ...person, agent }))).toEqual([no, paused, paused, no]);
    expect(haltedBy(...by('root', { type: 'run-cancel', ...person, agent }))).toEqual([no, cancelled, cancelled, no]);
    expect(haltedBy(...by('root', { type: 'run-pause', ...person }))).toEqual([paused, paused, paused, paused]);
    const root = AgentId.parse('root');
    expect(haltedBy(...by('root', { type: 'run-cancel', ...person, agent: root }))).toEqual(Array(4).fill(cancelled));
    const [pause, unpause] = ['run-pause', 'agent-resume'] as const;
    expect(haltedBy(...by('root', { type: pause, ...person, agent }, { type: unpause, ...person, agent }))).toEqual(
      Array(4).fill(no),
    );
  });

  it('has live children until the last of them has ended', () => {
    const state = foldTree({}, rootSpawns(2), by('root/1.1', done));
    const ended = foldTree({}, rootSpawns(2), by('root/1.1', done), by('root/1.0', done));
    expect([state, ended].map((each) => hasLiveChildren(each, agentIn(each, 'root')))).toEqual([true, false]);
  });

  it('gives an agent the settings of the run but for what it was given itself', () => {
    const [own, other] = [
      { inputPerMTok: 1, outputPerMTok: 1 },
      { inputPerMTok: 2, outputPerMTok: 2 },
    ];
    const state = foldTree(
      { price: own },
      rootSpawns(1, { model: 'other', price: other, verification: 'command', budgets: { steps: 3 } }),
    );
    expect(settingsOf(state, agentIn(state, 'root/1.0'))).toEqual({
      ...state.settings,
      budgets: { steps: 3, wallMs: null, tokens: null, costUsd: null, retries: 2, riskyActs: null },
      verification: 'command',
      toolBytes: 0,
      price: other,
    });
  });
});
