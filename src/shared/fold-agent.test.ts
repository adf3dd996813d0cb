import { describe, expect, it } from 'vitest';
import {
  agentIn,
  allowed,
  asked,
  begun,
  by,
  callDone,
  done,
  endedAs,
  foldTree,
  replied,
  rootSpawns,
  spawned,
} from '../../test/support/fold-tree.ts';
import { fakeBlob } from '../../test/support/simulate-run.ts';
import type { BlobRef } from './blob-ref.ts';
import type { EventBody } from './event.ts';
import { AgentId } from './id.ts';
import type { RunState } from './run-state.ts';

const child = AgentId.parse('root/1.0');
const secret: BlobRef = { ...fakeBlob('secret'), origin: 'repository', sensitive: true };

/** The agent reads a file that somebody else may have written, and that is for nobody else. */
const readsSecrets: EventBody[] = [
  asked(10, 10),
  replied(['read_file']),
  allowed(0),
  begun(0, 'read_file'),
  callDone(0, 'read_file', { target: 'notes.md', result: secret }),
];

describe('an agent that was spawned', () => {
  it('begins with its own words, at the place it was asked for, and holds the call that asked', () => {
    const state = foldTree({}, rootSpawns(2, { budgets: { steps: 4 }, activeMs: 30 }));
    const { assignment, context, step, phase } = agentIn(state, 'root/1.1');
    expect({ step, phase, roles: context.map(({ role }) => role) }).toEqual({
      step: 0,
      phase: { kind: 'ready' },
      roles: ['system', 'user'],
    });
    expect(assignment).toMatchObject({ parent: 'root', depth: 1, step: 1, call: 1, startedActiveMs: 30 });
    expect(agentIn(state, 'root').children).toEqual(['root/1.0', 'root/1.1']);
    expect(stagesOf(state, 'root')).toMatchObject([
      { kind: 'held', until: { kind: 'agents', agents: ['root/1.0'] }, untilActiveMs: null },
      { kind: 'held', until: { kind: 'agents', agents: ['root/1.1'] }, untilActiveMs: null },
    ]);
  });

  it('lets the call go on at once where nobody waits for it', () => {
    const state = foldTree({}, rootSpawns(1, { isDetached: true }));
    expect(stagesOf(state, 'root')).toEqual([{ kind: 'finished', status: 'ok' }]);
    expect(agentIn(state, child).assignment).toMatchObject({ isDetached: true, isCollected: false });
  });

  it('pays from its own ledger and from those of all it works for', () => {
    const state = foldTree(
      {},
      rootSpawns(2),
      by('root/1.0', spawned('root/1.0', 1, 0, { isDetached: true })),
      by('root/1.0/1.0', asked(100, 50), replied([], { usage: { inputTokens: 70, outputTokens: 20 } })),
      by('root/1.0/1.0', asked(200, 60)),
    );
    const ledgers = ['root/1.0/1.0', 'root/1.0', 'root/1.1'].map((agent) => agentIn(state, agent).assignment?.ledger);
    const toSums = (ledger: RunState['ledger'] | undefined) =>
      ledger && [ledger.settled.inputTokens, ledger.settled.outputTokens, ledger.outstanding.tokens];
    expect([...ledgers, state.ledger].map(toSums)).toEqual([
      [70, 20, 260],
      [70, 20, 260],
      [0, 0, 0],
      [80, 25, 260],
    ]);
  });

  it('leaves what its open request may have cost with all it works for when it is cut off', () => {
    const end = endedAs({ kind: 'cancelled', by: 'p' });
    const state = foldTree({}, rootSpawns(1), by('root/1.0', asked(100, 50), end));
    const { assignment, reserved, ended } = agentIn(state, child);
    const unknown = { requests: 1, tokens: 150, costUsd: null };
    expect([assignment?.ledger.unknown, state.ledger.unknown, reserved]).toEqual([unknown, unknown, null]);
    expect([assignment?.ledger.outstanding.requests, state.ledger.outstanding.requests]).toEqual([0, 0]);
    expect(ended).toEqual({ outcome: { kind: 'cancelled', by: 'p' }, report: fakeBlob('report') });
  });

  it('has its ceiling raised alone, and the run its own without it', () => {
    const raise = (agent?: AgentId): EventBody => ({
      type: 'ceiling-raise',
      actor: 'p',
      budget: 'tokens',
      limit: 900,
      ...(agent === undefined ? {} : { agent }),
    });
    const tokens = (state: RunState) => [
      state.settings.budgets.tokens,
      agentIn(state, child).assignment?.budgets.tokens,
    ];
    const children = rootSpawns(1, { budgets: { tokens: 5 } });
    const states = [raise(), raise(AgentId.parse('root')), raise(child)].map((body) =>
      foldTree({ budgets: { tokens: 500 } }, children, by('root', body)),
    );
    expect(states.map(tokens)).toEqual([
      [900, 5],
      [900, 5],
      [500, 900],
    ]);
  });
});

describe('what agents are told of each other', () => {
  it('comes with where it came from, and through whom', () => {
    const state = foldTree(
      {},
      rootSpawns(1),
      by('root/1.0', ...readsSecrets, done),
      by('root', callDone(0, 'spawn_agent', { agents: [child] })),
    );
    const { label } = agentIn(state, 'root');
    expect([label.untrusted, label.sensitive]).toEqual([
      { origin: 'repository', target: 'notes.md', step: 1, via: ['root/1.0'] },
      { origin: 'repository', target: 'notes.md', step: 1, via: ['root/1.0'] },
    ]);
    expect(agentIn(state, child).assignment?.isCollected).toBe(true);
  });

  it('is in a task what the one that gives it had been shown', () => {
    const state = foldTree({}, by('root', ...readsSecrets), by('root', spawned('root', 1, 0, { isDetached: true })));
    expect(agentIn(state, child).label.sensitive).toEqual({
      origin: 'repository',
      target: 'notes.md',
      step: 0,
      via: ['root'],
    });
  });

  it('is in a message what the sender had been shown when it wrote that, not later', () => {
    const send: EventBody = { type: 'mail-send', call: 0, to: AgentId.parse('root/1.1'), content: fakeBlob('hello') };
    const early = foldTree({}, rootSpawns(2), by('root/1.0', send, ...readsSecrets));
    const late = foldTree({}, rootSpawns(2), by('root/1.0', ...readsSecrets, send));
    const read = by(
      'root/1.1',
      asked(1, 1),
      replied(['read_messages']),
      allowed(0),
      callDone(0, 'read_messages', { mail: 1 }),
    );
    const sensitive = [early, late].map((state) => {
      const sent = agentIn(state, 'root/1.1').mailbox;
      return [sent.length, sent[0]?.from, sent[0]?.label.sensitive?.target];
    });
    expect(sensitive).toEqual([
      [1, 'root/1.0', undefined],
      [1, 'root/1.0', 'notes.md'],
    ]);
    const told = foldTree({}, rootSpawns(2), by('root/1.0', ...readsSecrets, send, send), read);
    const { mailbox, label } = agentIn(told, 'root/1.1');
    expect([mailbox.length, label.sensitive?.via]).toEqual([1, ['root/1.0']]);
  });
});

function stagesOf(state: RunState, agent: string) {
  const { phase } = agentIn(state, agent);
  return phase.kind === 'acting' ? phase.calls.map(({ stage }) => stage) : [];
}
