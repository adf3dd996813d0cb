// A run without a world: what `plan` asks for is answered by chance, and the events that a driver would journal come out.
// Every sequence made here could have happened, crashes and people included, so it is what properties are tested on.
import { createHash } from 'node:crypto';
import type { Action } from '../../src/engine/run/action.ts';
import { plan } from '../../src/engine/run/plan.ts';
import type { BlobRef } from '../../src/shared/blob-ref.ts';
import { type EventBody, type JournalEvent, Posture } from '../../src/shared/event.ts';
import { applyEvent, foldRun } from '../../src/shared/fold-run.ts';
import { type AgentId, BlobHash, RunId, rootAgentId } from '../../src/shared/id.ts';
import type { RunState } from '../../src/shared/run-state.ts';
import type { Budgets } from '../../src/shared/task-contract.ts';

export interface SimulationOptions {
  /** Numbers in [0, 1); the same ones give the same run. */
  readonly random: () => number;
  readonly budgets?: Partial<Budgets>;
  readonly verification?: string;
  readonly contextTokens?: number;
  readonly posture?: Posture;
  /** Chance that the driver dies after an event. */
  readonly crashChance?: number;
  /** Chance that somebody says something about a question, open or not, before the driver's next act. */
  readonly wordChance?: number;
  /** How often a run that waits for answers is gone on with, under whichever posture. */
  readonly resumes?: number;
  readonly maxEvents?: number;
}

export interface Simulation {
  readonly events: readonly JournalEvent[];
  readonly state: RunState;
  /** Everything `plan` asked for, in order. */
  readonly actions: readonly Action[];
}

/** A driver that always died at once would never get anywhere. */
const mostCrashes = 10;

export const runId = RunId.parse(`run-${'0'.repeat(22)}`);

/** Runs a simulation to its outcome, or to `maxEvents`. */
export function simulateRun(options: SimulationOptions): Simulation {
  const { random, crashChance = 0, wordChance = 0, maxEvents = 400 } = options;
  const events: JournalEvent[] = [];
  const actions: Action[] = [];
  let nowMs = 1_000_000;
  let crashesLeft = mostCrashes;
  let resumesLeft = options.resumes ?? 0;
  const crashes = (now: RunState): boolean => {
    if (now.outcome !== null || crashesLeft === 0 || random() >= crashChance) return false;
    crashesLeft -= 1;
    return true;
  };
  const add = (state: RunState | null, agentId: AgentId, step: number, body: EventBody): RunState => {
    nowMs += Math.floor(random() * 50);
    const event: JournalEvent = { runId, agentId, step, seq: events.length + 1, at: nowMs, ...body };
    events.push(event);
    if (state === null) return foldRun(null, [event]) ?? fail();
    applyEvent(state, event);
    return state;
  };
  let state = add(null, rootAgentId, 0, startBody(options));
  let waitedUntilMs = 0;
  while (state.outcome === null && events.length < maxEvents) {
    if (random() < wordChance) {
      for (const word of sayAnything(events, random)) state = add(state, rootAgentId, stepOf(state), word);
    }
    const planned = plan(state, { activeMs: Math.max(state.activeMs, waitedUntilMs) }, (tool) =>
      tool === 'read_file' ? 'read' : 'write',
    );
    if (planned.length === 0) throw new Error('The plan is empty although nothing is under way');
    for (const action of planned) {
      actions.push(action);
      if (action.kind === 'wait') waitedUntilMs = action.untilActiveMs;
      for (const body of answer(state, action, random)) {
        const agentId = 'agentId' in action ? action.agentId : rootAgentId;
        const step = action.kind === 'reason' ? action.step : (state.agents[agentId]?.step ?? 0);
        state = add(state, agentId, step, body);
        if (crashes(state)) break;
      }
      if (crashes(state)) {
        state = add(state, rootAgentId, stepOf(state), resumeBody(state));
        break;
      }
    }
    if (isUnderWay(state)) state = add(state, rootAgentId, stepOf(state), resumeBody(state));
    if (state.outcome?.kind === 'awaitingApproval' && resumesLeft > 0) {
      resumesLeft -= 1;
      for (const word of decideOne(state, rootAgentId, random)) state = add(state, rootAgentId, stepOf(state), word);
      state = add(state, rootAgentId, stepOf(state), resumeBody(state, pick(Posture.options, random)));
    }
  }
  return { events, state, actions };
}

const stepOf = (state: RunState): number => state.agents[rootAgentId]?.step ?? 0;

export function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] ?? fail();
}

/** An answer to any question there ever was: too late, given twice, or in time. */
function sayAnything(events: readonly JournalEvent[], random: () => number): EventBody[] {
  const requests = events.flatMap((event) => (event.type === 'approval-request' ? [event.request] : []));
  return requests.length === 0 ? [] : [decision(pick(requests, random), random)];
}

/** A reference to some content; equal texts have equal references. */
export function fakeBlob(text: string, bytes = text.length): BlobRef {
  return { hash: BlobHash.parse(createHash('sha256').update(text).digest('hex')), bytes, origin: 'engine' };
}

/** Left open by a broken-off answer: only a new driver can go on from there. */
function isUnderWay(state: RunState): boolean {
  return Object.values(state.agents).some(
    ({ phase, check }) =>
      phase.kind === 'asking' ||
      (check !== null && check.result === null) ||
      (phase.kind === 'acting' && phase.calls.some(({ stage }) => stage.kind === 'started')),
  );
}

export function answer(state: RunState, action: Action, random: () => number): EventBody[] {
  const { activeMs } = state;
  const later = activeMs + Math.floor(random() * 40);
  switch (action.kind) {
    case 'reason':
      return [
        modelStart(action, activeMs),
        random() < 0.15 ? modelFail(state, action, random) : modelFinish(action, random, later),
      ];
    case 'wait':
      return [];
    case 'judge':
      return [judge(action.call, random)];
    case 'request':
      return action.calls.map((call) => raiseRequest(state, action.agentId, call));
    case 'review':
      return review(state, action, random, later);
    case 'await-answer':
      return decideOne(state, action.agentId, random);
    case 'start':
      if (random() < 0.1) return action.calls.flatMap((call) => lapse(state, action.agentId, call));
      return action.calls.flatMap((call) => startAndFinish(state, action.agentId, call, random));
    case 'answer':
      return [callFinish(action.call, action.status, random)];
    case 'settle': {
      const { stage } = callOf(state, action.agentId, action.call);
      const isKnown = stage.kind === 'interrupted' && stage.class === 'compare';
      if (isKnown && random() < 0.4) return [judge(action.call, random)];
      return [callFinish(action.call, isKnown && random() < 0.5 ? 'ok' : 'unknown', random)];
    }
    case 'finish-step':
      return [{ type: 'step-finish', activeMs: later }];
    case 'show-steer':
      return [
        { type: 'observation', kind: 'steer', content: state.agents[action.agentId]?.steers[0] ?? fakeBlob('steer') },
      ];
    case 'explain-cut':
    case 'show-evidence':
      return [
        {
          type: 'observation',
          kind: action.kind === 'explain-cut' ? 'reply-unusable' : 'check-evidence',
          content: fakeBlob('why', 200),
        },
        { type: 'step-finish', activeMs: later },
      ];
    case 'compact': {
      const { before, replaced, tokensBefore, tokensAfter } = action;
      const left = action.leftOut === undefined ? {} : { leftOut: action.leftOut };
      return [{ type: 'context-compact', before, replaced, tokensBefore, tokensAfter, ...left }];
    }
    case 'check': {
      const result = random() < 0.2 ? 'met' : random() < 0.1 ? 'notEvaluated' : 'notMet';
      return [
        { type: 'check-start', trigger: action.trigger },
        {
          type: 'check-finish',
          trigger: action.trigger,
          result,
          summary: 'by chance',
          evidence: fakeBlob('evidence'),
          isolation: 'none',
          durationMs: 5,
          activeMs: later,
        },
      ];
    }
    case 'show-loop':
      return [{ type: 'observation', kind: 'repetition', content: fakeBlob('circle', 200) }];
    case 'release':
    case 'show-reports':
    case 'end':
      return [];
    case 'stop':
      return [{ type: 'run-finish', outcome: action.outcome, activeMs: later }];
  }
}

function judge(call: number, random: () => number): EventBody {
  const effect = random() < 0.1 ? 'deny' : random() < 0.3 ? 'ask' : 'allow';
  const because = 'by chance';
  return { type: 'act-judged', call, act: 'write', target: 'a', effect, rule: null, layer: 'default', because };
}

const callOf = (state: RunState, agentId: AgentId, call: number) => {
  const { phase } = state.agents[agentId] ?? fail();
  return (phase.kind === 'acting' ? phase.calls[call] : undefined) ?? fail();
};

function raiseRequest(state: RunState, agentId: AgentId, call: number): EventBody {
  const { rounds } = callOf(state, agentId, call);
  const request = `${state.agents[agentId]?.step}:${call}:${rounds + 1}`;
  return {
    type: 'approval-request',
    call,
    request,
    act: 'write',
    target: 'a',
    because: 'by chance',
    round: rounds + 1,
  };
}

/** The world has changed meanwhile: nothing starts, and the question is asked again. */
function lapse(state: RunState, agentId: AgentId, call: number): EventBody[] {
  const { stage } = callOf(state, agentId, call);
  if (stage.kind !== 'waiting') return [];
  return [{ type: 'approval-lapse', call, request: stage.request, because: 'by chance' }];
}

function review(
  state: RunState,
  { agentId, call }: Extract<Action, { kind: 'review' }>,
  random: () => number,
  activeMs: number,
): EventBody[] {
  const { stage } = callOf(state, agentId, call);
  if (stage.kind !== 'waiting') return fail();
  const { request } = stage;
  const decision = random() < 0.4 ? 'approve' : random() < 0.5 ? 'deny' : 'defer';
  const usage = random() < 0.8 ? { inputTokens: 10, outputTokens: 5, cachedInputTokens: 0 } : null;
  const reservation = { inputTokens: 100, outputTokens: 50, costUsd: null };
  return [
    { type: 'review-start', call, request, model: 'other', reservation, activeMs: state.activeMs },
    {
      type: 'review-finish',
      call,
      request,
      model: 'other',
      decision,
      reason: 'by chance',
      usage,
      costUsd: null,
      activeMs,
    },
  ];
}

/** Any of those that wait, in any order. */
function decideOne(state: RunState, agentId: AgentId, random: () => number): EventBody[] {
  const { phase } = state.agents[agentId] ?? fail();
  const waiting = (phase.kind === 'acting' ? phase.calls : []).flatMap(({ stage }) =>
    stage.kind === 'waiting' && stage.answer === null ? [stage.request] : [],
  );
  return waiting.length === 0 ? [] : [decision(pick(waiting, random), random)];
}

export function decision(request: string, random: () => number): EventBody {
  const decision = random() < 0.5 ? 'approve' : random() < 0.6 ? 'deny' : 'defer';
  const rewrite = decision === 'approve' && random() < 0.2 ? { rewrite: fakeBlob(`rewrite ${random()}`) } : {};
  return { type: 'approval-decision', request, decision, actor: 'person:by-chance', ...rewrite };
}

type Reason = Extract<Action, { kind: 'reason' }>;

export const modelStart = ({ attempt, reservation }: Reason, activeMs: number): EventBody => ({
  type: 'model-start',
  attempt,
  reservation,
  maxOutputTokens: reservation.outputTokens,
  activeMs,
});

export function modelFinish(
  { attempt, reservation }: Reason,
  random: () => number,
  activeMs: number,
  pickTool = pickFileTool,
): EventBody {
  const calls = Array.from({ length: random() < 0.25 ? 0 : 1 + Math.floor(random() * 4) }, (_, call) => ({
    call,
    id: `c${call}`,
    tool: pickTool(random),
    ...(random() < 0.1 ? { unusable: 'by chance' } : {}),
  }));
  const usage = {
    inputTokens: Math.floor(random() * reservation.inputTokens),
    outputTokens: Math.floor(random() * reservation.outputTokens),
    cachedInputTokens: 0,
  };
  return {
    type: 'model-finish',
    attempt,
    message: fakeBlob(`reply ${random()}`, Math.floor(random() * 2000)),
    finish: random() < 0.05 ? 'length' : calls.length > 0 ? 'calls' : 'stop',
    calls,
    usage,
    costUsd: null,
    firstEventMs: 1,
    durationMs: 2,
    activeMs,
  };
}

const pickFileTool = (random: () => number): string =>
  random() < 0.4 ? 'edit_file' : random() < 0.2 ? 'shell' : 'read_file';

export function modelFail(state: RunState, { agentId, attempt }: Reason, random: () => number): EventBody {
  const failures = state.agents[agentId]?.failures ?? 0;
  return {
    type: 'model-fail',
    attempt,
    failure: 'server',
    message: 'by chance',
    retryAtMs: failures < 2 && random() < 0.8 ? state.lastAt + 1000 : null,
    charge: random() < 0.5 ? 'unknown' : 'none',
    activeMs: state.activeMs,
  };
}

export function startAndFinish(state: RunState, agentId: AgentId, call: number, random: () => number): EventBody[] {
  const { tool, stage } = callOf(state, agentId, call);
  const edits = tool === 'edit_file';
  const isApproved = stage.kind === 'waiting' && stage.answer?.decision === 'approve';
  const change = { path: 'a', before: fakeBlob('old'), after: fakeBlob('new') };
  return [
    {
      type: 'call-start',
      call,
      tool,
      class: edits ? 'compare' : tool === 'shell' ? 'indeterminate' : 'repeat',
      risky: stage.kind === 'waiting' || (stage.kind === 'judged' && stage.effect === 'ask'),
      ...(isApproved ? { approval: stage.request } : {}),
      ...(edits ? { change } : {}),
    },
    callFinish(call, random() < 0.8 ? 'ok' : 'failed', random, edits),
  ];
}

export function callFinish(
  call: number,
  status: 'ok' | 'failed' | 'denied' | 'unusable' | 'unknown',
  random: () => number,
  edits = false,
): EventBody {
  const result = fakeBlob(`result ${random()}`, Math.floor(random() * 40_000));
  return {
    type: 'call-finish',
    call,
    tool: edits ? 'edit_file' : 'read_file',
    status,
    target: 'a',
    result,
    seen: [],
    changed: edits && status === 'ok',
    durationMs: 1,
  };
}

export function startBody({
  budgets,
  verification = 'command',
  contextTokens = 128_000,
  posture = 'all',
}: SimulationOptions): EventBody {
  return {
    type: 'run-start',
    engineVersion: '0',
    contract: fakeBlob('contract'),
    title: 'simulated',
    workspace: { path: '/w', device: '1', inode: '2' },
    verification,
    budgets: { steps: 12, wallMs: null, tokens: null, costUsd: null, retries: 2, riskyActs: null, ...budgets },
    provider,
    posture,
    policyHash: 'p',
    contextTokens,
    maxOutputTokens: 4096,
    price: null,
    system: fakeBlob('system', 1000),
    prompt: fakeBlob('prompt', 500),
    toolBytes: 2000,
    neighbours: [],
  };
}

const provider = { name: 'simulated', wire: 'custom', baseUrl: null, model: 'chance' } as const;

export const resumeBody = ({ settings }: RunState, posture: Posture = settings.posture): EventBody => ({
  type: 'run-resume',
  provider,
  posture,
  policyHash: 'p',
  contextTokens: settings.contextTokens,
  price: null,
});

function fail(): never {
  throw new Error('The simulation has lost its run');
}
