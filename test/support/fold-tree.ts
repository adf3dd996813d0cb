// The state of a run with agents, from events that are told in short: who did what. Places and numbers follow by themselves.
import type { EventBody, JournalEvent } from '../../src/shared/event.ts';
import { foldRun } from '../../src/shared/fold-run.ts';
import { AgentId, rootAgentId, toChildId } from '../../src/shared/id.ts';
import type { AgentState, RunState } from '../../src/shared/run-state.ts';
import { Budgets, Containment } from '../../src/shared/task-contract.ts';
import type { Price, Usage } from '../../src/shared/usage.ts';
import { fakeBlob, simulateRun } from './simulate-run.ts';

export interface TreeStart {
  readonly budgets?: Partial<Budgets>;
  readonly containment?: Partial<Containment>;
  readonly posture?: RunState['settings']['posture'];
  readonly price?: Price | null;
  readonly verification?: string;
}

export interface Told {
  readonly agent: string;
  readonly body: EventBody;
}

/** What an agent, or a person, did: `root`, `root/1.0`, ... */
export const by = (agent: string, ...bodies: readonly EventBody[]): Told[] => bodies.map((body) => ({ agent, body }));

export function foldTree(start: TreeStart, ...told: readonly (readonly Told[])[]): RunState {
  const state = foldRun(null, [toStart(start)]);
  if (state === null) throw new Error('A start gives a state');
  for (const { agent, body } of told.flat()) {
    const { runId, seq } = state;
    const agentId = AgentId.parse(agent);
    const before = state.agents[agentId]?.step ?? 0;
    const step = body.type === 'model-start' ? before + 1 : before;
    foldRun(state, [{ runId, agentId, step, seq: seq + 1, at: 0, ...body }]);
  }
  return state;
}

function toStart({
  budgets,
  containment,
  posture = 'all',
  price = null,
  verification = 'none',
}: TreeStart): JournalEvent {
  const [start] = simulateRun({ random: () => 0.5, maxEvents: 1 }).events;
  if (start?.type !== 'run-start') throw new Error('A simulation begins with run-start');
  return {
    ...start,
    posture,
    price,
    verification,
    budgets: Budgets.parse({ ...budgets }),
    containment: Containment.parse({ depth: 3, ...containment }),
  };
}

export function agentIn(state: RunState, agent: string): AgentState {
  const found = state.agents[AgentId.parse(agent)];
  if (found === undefined) throw new Error(`There is no agent ${agent}`);
  return found;
}

/** A request, at its worst case. */
export const asked = (inputTokens: number, outputTokens: number, costUsd: number | null = null): EventBody => ({
  type: 'model-start',
  attempt: 1,
  reservation: { inputTokens, outputTokens, costUsd },
  maxOutputTokens: outputTokens,
  activeMs: 0,
});

/** A reply with these calls; with none it is the end of a turn. */
export const replied = (
  tools: readonly string[] = [],
  { usage = {}, costUsd = 0 }: { readonly usage?: Partial<Usage>; readonly costUsd?: number | null } = {},
): EventBody => ({
  type: 'model-finish',
  attempt: 1,
  message: fakeBlob('reply'),
  finish: tools.length === 0 ? 'stop' : 'calls',
  calls: tools.map((tool, call) => ({ call, id: `c${call}`, tool })),
  usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0, ...usage },
  costUsd,
  firstEventMs: 0,
  durationMs: 0,
  activeMs: 0,
});

export const allowed = (call: number): EventBody => ({
  type: 'act-judged',
  call,
  act: 'read',
  target: 'a',
  effect: 'allow',
  rule: null,
  layer: 'default',
  because: 'by default',
});

export const begun = (call: number, tool = 'spawn_agent'): EventBody => ({
  type: 'call-start',
  call,
  tool,
  class: 'repeat',
  risky: false,
});

export interface SpawnOptions {
  readonly budgets?: Partial<Budgets>;
  readonly model?: string;
  readonly price?: Price | null;
  readonly isDetached?: boolean;
  readonly activeMs?: number;
  readonly verification?: string;
}

/** The agent that the call in this step asked for, without the events around it. */
export const spawned = (
  parent: string,
  step: number,
  call: number,
  options: SpawnOptions = {},
): Extract<EventBody, { type: 'agent-spawn' }> => ({
  type: 'agent-spawn',
  call,
  child: toChildId(AgentId.parse(parent), step, call),
  title: 'A part',
  task: fakeBlob('task'),
  verification: options.verification ?? 'none',
  budgets: Budgets.parse({ ...options.budgets }),
  tools: [],
  toolBytes: 0,
  ...(options.model === undefined ? {} : { model: options.model }),
  price: options.price ?? null,
  system: fakeBlob('system', 100),
  prompt: fakeBlob('prompt', 100),
  ...(options.isDetached ? { detached: true } : {}),
  activeMs: options.activeMs ?? 0,
});

export const endedAs = (outcome: Extract<EventBody, { type: 'agent-finish' }>['outcome']): EventBody => ({
  type: 'agent-finish',
  outcome,
  report: fakeBlob('report'),
  activeMs: 0,
});

export const done = endedAs({ kind: 'finished', checked: false });

/** How a call came out; `more`: of whom it tells, how many messages it has read, what it shows. */
export const callDone = (
  call: number,
  tool: string,
  more: Partial<Extract<EventBody, { type: 'call-finish' }>> = {},
): EventBody => ({
  type: 'call-finish',
  call,
  tool,
  status: 'ok',
  target: '',
  result: fakeBlob('result'),
  seen: [],
  changed: false,
  durationMs: 0,
  ...more,
});

/** The root has spawned so many with the calls of its first reply, and waits for them. */
export function rootSpawns(count: number, options: SpawnOptions = {}): Told[] {
  const calls = Array.from({ length: count }, (_, call) => call);
  return [
    ...by(rootAgentId, asked(10, 10), replied(calls.map(() => 'spawn_agent')), ...calls.map(allowed)),
    ...calls.flatMap((call) => {
      const told = [begun(call), spawned(rootAgentId, 1, call, options)];
      return by(rootAgentId, ...(options.isDetached ? [...told, callDone(call, 'spawn_agent')] : told));
    }),
  ];
}
