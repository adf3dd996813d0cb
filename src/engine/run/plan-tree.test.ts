import { describe, expect, it } from 'vitest';
import {
  agentIn,
  allowed,
  asked,
  begun,
  by,
  callDone,
  done,
  foldTree,
  replied,
  rootSpawns,
  type Told,
  type TreeStart,
} from '../../../test/support/fold-tree.ts';
import { fakeBlob } from '../../../test/support/simulate-run.ts';
import { treeKindOf } from '../../../test/support/simulate-tree.ts';
import type { EventBody } from '../../shared/event.ts';
import { AgentId, rootAgentId } from '../../shared/id.ts';
import { plan, planAgent } from './plan.ts';

/** What is planned for all agents after these events. */
function planAfter(start: TreeStart, told: readonly Told[], activeMs = 0) {
  return plan(foldTree(start, told), { activeMs }, treeKindOf);
}

function planOf(agent: string, start: TreeStart, told: readonly Told[], activeMs = 0) {
  const state = foldTree(start, told);
  return planAgent(state, agentIn(state, agent), { activeMs }, treeKindOf);
}

const person = { actor: 'a person' };
const named = (agent: string): AgentId => AgentId.parse(agent);
const held = (
  call: number,
  until: Extract<EventBody, { type: 'call-hold' }>['until'],
  ms: number | null,
): EventBody => ({
  type: 'call-hold',
  call,
  until,
  untilActiveMs: ms,
});
const mail = { kind: 'mail' } as const;
const asksAndHolds = (ms: number | null): EventBody[] => [
  asked(10, 10),
  replied(['read_messages']),
  allowed(0),
  begun(0, 'read_messages'),
  held(0, mail, ms),
];
const mailFrom = (agent: string, to: string): Told[] =>
  by(agent, { type: 'mail-send', call: 0, to: named(to), content: fakeBlob('mail') });
const judged = (call: number, effect: 'ask' | 'allow'): EventBody => ({
  ...{ type: 'act-judged', call, act: 'write', target: 'a', effect, rule: null, layer: 'default' },
  because: 'by default',
});
const requested = (request: string): EventBody => ({
  ...{ type: 'approval-request', call: 0, request, act: 'write', target: 'a', because: 'by default' },
});
const asksPerson = (agent: string): Told[] =>
  by(agent, asked(10, 10), replied(['edit_file']), judged(0, 'ask'), requested(`of ${agent}`));

describe('a plan for a parent', () => {
  it('starts its spawns that stand together at once', () => {
    const calls = ['spawn_agent', 'spawn_agent', 'read_file', 'spawn_agent'];
    const told = by(rootAgentId, asked(10, 10), replied(calls), ...calls.map((_, call) => allowed(call)));
    expect(planAfter({}, told)).toEqual([{ kind: 'start', agentId: 'root', calls: [0, 1] }]);
  });

  it('releases what it has waited for together, in the order of its calls, when the last has ended', () => {
    const told = rootSpawns(3);
    const two = [...told, ...by('root/1.2', done), ...by('root/1.0', done)];
    expect(planOf('root', {}, two)).toEqual([]);
    expect(planOf('root', {}, [...two, ...by('root/1.1', done)])).toEqual(
      [0, 1, 2].map((call) => ({ kind: 'release', agentId: 'root', call })),
    );
  });

  it('goes on with the calls behind those that were held only after them', () => {
    const calls = ['spawn_agent', 'read_file'];
    const told = [
      ...by(rootAgentId, asked(10, 10), replied(calls), allowed(0), allowed(1), begun(0)),
      ...rootSpawns(1).slice(-1),
    ];
    expect(planOf('root', {}, told)).toEqual([]);
    const ended = [
      ...told,
      ...by('root/1.0', done),
      ...by('root', callDone(0, 'spawn_agent', { agents: [named('root/1.0')] })),
    ];
    expect(planOf('root', {}, ended)).toEqual([{ kind: 'start', agentId: 'root', calls: [1] }]);
  });

  it('lets it claim to be done only when all have ended that work for it, and it was told how', () => {
    const detached = rootSpawns(2, { isDetached: true });
    const claim = by('root', { type: 'step-finish', activeMs: 0 }, asked(10, 10), replied());
    const first = [...detached, ...claim, ...by('root/1.1', done)];
    expect(planOf('root', {}, first)).toEqual([]);
    expect(planOf('root', {}, [...first, ...by('root/1.0', done)])).toEqual([
      { kind: 'show-reports', agentId: 'root', agents: ['root/1.0', 'root/1.1'] },
    ]);
    const waited = { ...callDone(0, 'wait_agents', { agents: [named('root/1.0'), named('root/1.1')] }) };
    const told = [
      ...detached,
      ...by('root/1.0', done),
      ...by('root/1.1', done),
      ...by('root', { type: 'step-finish', activeMs: 0 }, asked(10, 10), replied(['wait_agents']), allowed(0), waited),
      ...claim,
    ];
    expect(planOf('root', {}, told)).toEqual([{ kind: 'stop', outcome: { kind: 'finished', checked: false } }]);
  });

  it('does not end it at its turns or its tokens while somebody works for it, and at its time at once', () => {
    const detached = [...rootSpawns(1, { isDetached: true }), ...by('root', { type: 'step-finish', activeMs: 0 })];
    const spent = (budgets: TreeStart['budgets'], more: readonly Told[] = [], activeMs = 0) =>
      planOf('root', { budgets: { ...budgets } }, [...detached, ...more], activeMs).map(({ kind }) => kind);
    const ended = by('root/1.0', done);
    expect([spent({ steps: 1 }), spent({ steps: 1 }, ended)]).toEqual([[], ['stop']]);
    expect([spent({ tokens: 100 }), spent({ tokens: 100 }, ended)]).toEqual([[], ['stop']]);
    expect(spent({ wallMs: 50 }, [], 50)).toEqual(['stop']);
  });
});

describe('a plan for an agent that waits', () => {
  it('sets the time at which it waits no longer, and ends the wait then or when there is mail', () => {
    const told = [...rootSpawns(2), ...by('root/1.0', ...asksAndHolds(500))];
    expect(planOf('root/1.0', {}, told, 499)).toEqual([{ kind: 'wait', agentId: 'root/1.0', untilActiveMs: 500 }]);
    const release = [{ kind: 'release', agentId: 'root/1.0', call: 0 }];
    expect(planOf('root/1.0', {}, told, 500)).toEqual(release);
    expect(planOf('root/1.0', {}, [...told, ...mailFrom('root/1.1', 'root/1.0')], 499)).toEqual(release);
  });

  it('waits no longer than there is time, of its own or of anybody it works for', () => {
    const told = (wallMs: number | null) => [
      ...rootSpawns(1, { budgets: { wallMs }, activeMs: 100 }),
      ...by('root/1.0', ...asksAndHolds(5000)),
    ];
    expect(planOf('root/1.0', {}, told(300))).toEqual([{ kind: 'wait', agentId: 'root/1.0', untilActiveMs: 400 }]);
    expect(planOf('root/1.0', {}, told(300), 400)).toEqual([{ kind: 'release', agentId: 'root/1.0', call: 0 }]);
    const tree = { budgets: { wallMs: 200 } };
    expect(planOf('root/1.0', tree, told(null))).toEqual([{ kind: 'wait', agentId: 'root/1.0', untilActiveMs: 200 }]);
    expect(planOf('root', tree, told(null), 200)).toEqual([{ kind: 'release', agentId: 'root', call: 0 }]);
  });
});

describe('a plan for a spawned agent', () => {
  it('ends it, and not the run, at its own limits and at those of whoever is above it', () => {
    const told = rootSpawns(1, { budgets: { steps: 1, wallMs: 1000 }, activeMs: 100 });
    const oneStep = by(
      'root/1.0',
      asked(10, 10),
      replied(['read_file']),
      allowed(0),
      begun(0, 'read_file'),
      callDone(0, 'read_file'),
      {
        type: 'step-finish',
        activeMs: 0,
      },
    );
    const toEnd = (which: string, reason: string) => [
      { kind: 'end', agentId: 'root/1.0', outcome: { kind: 'budget', which, reason } },
    ];
    expect(planOf('root/1.0', {}, [...told, ...oneStep])).toEqual(toEnd('steps', 'All 1 steps are used.'));
    const inTime = foldTree({ budgets: { wallMs: 60_000 } }, told);
    expect(
      planAgent({ ...inTime, activeMs: 1100 }, agentIn(inTime, 'root/1.0'), { activeMs: 1100 }, treeKindOf),
    ).toEqual(toEnd('wallMs', '1 s of 1 s active time are used.'));
    const tree = foldTree({ budgets: { wallMs: 30_000 } }, rootSpawns(1, { activeMs: 20_000 }));
    expect(
      planAgent({ ...tree, activeMs: 30_000 }, agentIn(tree, 'root/1.0'), { activeMs: 30_000 }, treeKindOf),
    ).toEqual(toEnd('wallMs', '30 s of 30 s active time are used.'));
  });

  it('checks its own task once more before it ends at a limit', () => {
    const told = rootSpawns(1, { verification: 'command', budgets: { tokens: 20 } });
    expect(planOf('root/1.0', {}, told)).toEqual([{ kind: 'check', agentId: 'root/1.0', trigger: 'tokens' }]);
  });

  it('ends it and all that work for it when a person cancels it, in the middle of whatever it does', () => {
    const told = [...rootSpawns(2), ...by('root/1.0', asked(10, 10))];
    const cancel = by('root', { type: 'run-cancel', ...person, agent: named('root/1.0') });
    expect(planAfter({}, [...told, ...cancel])).toEqual([
      { kind: 'end', agentId: 'root/1.0', outcome: { kind: 'cancelled', by: 'a person' } },
      expect.objectContaining({ kind: 'reason', agentId: 'root/1.1' }),
    ]);
  });
});

describe('a plan for all', () => {
  it('lets nobody ask while what is set aside for others may be left over', () => {
    const told = [...rootSpawns(2), ...by('root/1.0', asked(1000, 4096))];
    expect(planAfter({ budgets: { tokens: 6000 } }, told)).toEqual([]);
  });

  it('takes no notice of what waits for people while anything else can go on', () => {
    const waiting = [...rootSpawns(2), ...asksPerson('root/1.0')];
    expect(planAfter({ posture: 'defer' }, waiting)).toMatchObject([{ kind: 'reason', agentId: 'root/1.1' }]);
    const underWay = [...waiting, ...by('root/1.1', asked(10, 10))];
    expect(planAfter({ posture: 'defer' }, underWay)).toEqual([]);
  });

  it('stops for all questions at once when all that is left waits for people', () => {
    const told = [...rootSpawns(3), ...asksPerson('root/1.0'), ...asksPerson('root/1.1'), ...by('root/1.2', done)];
    expect(planAfter({ posture: 'defer' }, told)).toEqual([
      { kind: 'stop', outcome: { kind: 'awaitingApproval', requests: ['of root/1.0', 'of root/1.1'] } },
    ]);
  });

  it('passes over an agent that was paused, with all below it, and stops when nobody else is left', () => {
    const pause = (agent: string): Told[] => by('root', { type: 'run-pause', ...person, agent: named(agent) });
    const one = [...rootSpawns(2), ...pause('root/1.0')];
    expect(planAfter({}, one)).toMatchObject([{ kind: 'reason', agentId: 'root/1.1' }]);
    expect(planAfter({}, [...one, ...pause('root/1.1')])).toEqual([{ kind: 'stop', outcome: { kind: 'paused' } }]);
    const again = by('root', { type: 'agent-resume', ...person, agent: named('root/1.0') });
    expect(planAfter({}, [...one, ...again]).map((action) => 'agentId' in action && action.agentId)).toEqual([
      'root/1.0',
      'root/1.1',
    ]);
  });

  it('stops for a pause of the whole run, whoever could go on', () => {
    const pause = by('root', { type: 'run-pause', ...person });
    expect(planAfter({}, [...rootSpawns(1), ...pause])).toEqual([{ kind: 'stop', outcome: { kind: 'paused' } }]);
  });
});
