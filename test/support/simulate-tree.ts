// A run with agents without a world: as simulate-run.ts, with requests that stay open while others of the tree go on, spawns,
// waits, mail, and people who say something to any agent of it.
import type { Action } from '../../src/engine/run/action.ts';
import { plan } from '../../src/engine/run/plan.ts';
import { deadlineOf, hasEnded, isWithin } from '../../src/shared/agent-tree.ts';
import type { EventBody, JournalEvent, Posture } from '../../src/shared/event.ts';
import { applyEvent, foldRun } from '../../src/shared/fold-run.ts';
import { type AgentId, rootAgentId, toChildId } from '../../src/shared/id.ts';
import { isFinal } from '../../src/shared/outcome.ts';
import type { AgentState, RunState } from '../../src/shared/run-state.ts';
import { Budgets, Containment } from '../../src/shared/task-contract.ts';
import { agentOf, callOf, decideOne, raiseRequest, sayAnything } from './simulate-people.ts';
import {
  answer,
  callFinish,
  fakeBlob,
  modelFail,
  modelFinish,
  modelStart,
  pick,
  resumeBody,
  runId,
  type Simulation,
  startAndFinish,
  startBody,
} from './simulate-run.ts';

export interface TreeSimulationOptions {
  /** Numbers in [0, 1); the same ones give the same run. */
  readonly random: () => number;
  readonly budgets?: Partial<Budgets>;
  readonly verification?: string;
  readonly posture?: Posture;
  /** Chance that the driver dies after a transaction. */
  readonly crashChance?: number;
  /** Chance that somebody says something to one of the agents before the driver's next act. */
  readonly wordChance?: number;
  /** How often a run that has come to an end that is not final is gone on with. */
  readonly resumes?: number;
}

export const treeKindOf = (tool: string): 'read' | 'write' | 'spawn' =>
  tool === 'read_file' ? 'read' : tool === 'spawn_agent' ? 'spawn' : 'write';

/** What is durable together. */
type Transaction = readonly EventBody[];

const maxEvents = 6000;
const mostCrashes = 5;

/** Runs a simulation to its outcome. */
export function simulateTree(options: TreeSimulationOptions): Simulation {
  const tree = new Tree(options);
  while (tree.goesOn()) tree.move();
  return { events: tree.events, state: tree.state, actions: tree.actions };
}

class Tree {
  readonly events: JournalEvent[] = [];
  readonly actions: Action[] = [];
  readonly state: RunState;
  readonly #options: TreeSimulationOptions;
  /** What the driver that is at work has begun and will come to an end with. */
  #open: { readonly agentId: AgentId; readonly finish: () => Transaction }[] = [];
  #nowMs = 0;
  #crashesLeft = mostCrashes;
  #resumesLeft: number;

  constructor(options: TreeSimulationOptions) {
    const { budgets = {}, verification = 'command', posture = 'all' } = options;
    this.#options = options;
    this.#resumesLeft = options.resumes ?? 0;
    const containment = Containment.parse({ total: 9, depth: 2 });
    const start = { ...startBody({ random: options.random, budgets, verification, posture }), containment };
    const state = foldRun(null, [this.#toEvent(rootAgentId, 0, start, 1)]);
    if (state === null) throw new Error('A start gives a state');
    this.state = state;
  }

  goesOn(): boolean {
    const { outcome } = this.state;
    return this.events.length < maxEvents && (outcome === null || (!isFinal(outcome) && this.#resumesLeft > 0));
  }

  move(): void {
    const { random, wordChance = 0 } = this.#options;
    if (this.state.outcome !== null) {
      this.#resume();
      return;
    }
    if (random() < wordChance) this.#add(rootAgentId, sayAnything(this.state, random));
    if (random() < 0.4 && this.#finishOne()) return;
    const now = { activeMs: Math.max(this.#nowMs, this.state.activeMs) };
    this.#nowMs = now.activeMs;
    const planned = plan(this.state, now, treeKindOf);
    if (planned.length === 0) {
      this.#waitForSomething();
      return;
    }
    const first = pick(planned, random);
    // Each agent plans for itself, so only one of them acts on what was planned.
    const own = planned.filter((action) => placeOf(action) === placeOf(first));
    for (const action of own) {
      this.actions.push(action);
      if (action.kind === 'wait') this.#nowMs = Math.max(this.#nowMs, action.untilActiveMs);
      for (const transaction of this.#answer(action)) {
        this.#add(placeOf(action), transaction, action.kind === 'reason' ? action.step : null);
        if (this.#crashes()) return;
      }
    }
  }

  #answer(action: Action): Transaction[] {
    const { random } = this.#options;
    switch (action.kind) {
      case 'reason': {
        const fails = random() < 0.1;
        const finish = () =>
          fails ? modelFail(this.state, action, random) : modelFinish(action, random, this.#later(), pickTool);
        this.#open.push({ agentId: action.agentId, finish: () => [finish()] });
        return [[modelStart(action, this.state.activeMs)]];
      }
      case 'request':
        return [action.calls.map((call) => raiseRequest(this.state, action.agentId, call))];
      case 'await-answer':
        return [decideOne(this.state, action.agentId, random)];
      case 'start':
        return action.calls.map((call) => this.#start(action.agentId, call));
      case 'release':
        return [[this.#release(action.agentId, action.call)]];
      case 'show-reports': {
        const { agents } = action;
        return [
          [
            { type: 'observation', kind: 'agent-reports', content: fakeBlob('reports'), agents: [...agents] },
            { type: 'step-finish', activeMs: this.#later() },
          ],
        ];
      }
      case 'end':
        this.#end(action.agentId, action.outcome);
        return [];
      case 'stop':
        this.#open = [];
        if (isFinal(action.outcome)) {
          for (const { agentId } of this.#listLive(rootAgentId)) this.#end(agentId, { kind: 'cancelled', by: 'root' });
        }
        return [answer(this.state, action, random)];
      default:
        return answer(this.state, action, random).map((body) => [body]);
    }
  }

  #start(agentId: AgentId, call: number): Transaction {
    const { random } = this.#options;
    const { tool } = callOf(this.state, agentId, call);
    switch (tool) {
      case 'spawn_agent':
        return this.#spawn(agentId, call);
      case 'wait_agents': {
        const { children } = agentOf(this.state, agentId);
        if (children.length === 0) return [callFinish(call, 'failed', random)];
        const until = {
          kind: 'agents',
          agents: children.slice(0, 1 + Math.floor(random() * children.length)),
        } as const;
        return [begin(tool, call), { type: 'call-hold', call, until, untilActiveMs: this.#until(0.5) }];
      }
      case 'read_messages':
        return [begin(tool, call), { type: 'call-hold', call, until: { kind: 'mail' }, untilActiveMs: this.#until(1) }];
      case 'send_message': {
        const to = pick(Object.values(this.state.agents), random);
        if (to.ended !== null || to.agentId === agentId) return [callFinish(call, 'failed', random)];
        const send: EventBody = { type: 'mail-send', call, to: to.agentId, content: fakeBlob(`mail ${random()}`) };
        return [begin(tool, call), send, callFinish(call, 'ok', random)];
      }
      default: {
        const [start, ...ends] = startAndFinish(this.state, agentId, call, random);
        this.#open.push({ agentId, finish: () => ends });
        return start === undefined ? [] : [start];
      }
    }
  }

  #spawn(agentId: AgentId, call: number): Transaction {
    const { random } = this.#options;
    const { settings, agents } = this.state;
    const { assignment, step } = agentOf(this.state, agentId);
    const { total = 0, depth = 0 } = settings.containment ?? {};
    if (Object.keys(agents).length >= total || (assignment?.depth ?? 0) >= depth) {
      return [callFinish(call, 'failed', random)];
    }
    const isDetached = random() < 0.4;
    const limits = {
      steps: 1 + Math.floor(random() * 5),
      tokens: random() < 0.4 ? 5000 + Math.floor(random() * 20_000) : null,
      wallMs: random() < 0.2 ? 1 + Math.floor(random() * 400) : null,
    };
    const spawn: EventBody = {
      type: 'agent-spawn',
      call,
      child: toChildId(agentId, step, call),
      title: 'A part',
      task: fakeBlob('task'),
      verification: random() < 0.5 ? 'none' : 'command',
      budgets: Budgets.parse(limits),
      tools: [],
      toolBytes: 500,
      price: null,
      system: fakeBlob('system', 300),
      prompt: fakeBlob('prompt', 300),
      ...(isDetached ? { detached: true } : {}),
      activeMs: this.#later(),
    };
    return [begin('spawn_agent', call), spawn, ...(isDetached ? [callFinish(call, 'ok', random)] : [])];
  }

  #release(agentId: AgentId, call: number): EventBody {
    const { stage } = callOf(this.state, agentId, call);
    if (stage.kind !== 'held') throw new Error(`${agentId} does not hold call ${call}`);
    const end = callFinish(call, 'ok', this.#options.random);
    if (end.type !== 'call-finish') throw new Error('A call ends with its end');
    if (stage.until.kind === 'mail') return { ...end, mail: agentOf(this.state, agentId).mailbox.length };
    return { ...end, agents: stage.until.agents.filter((other) => hasEnded(this.state, other)) };
  }

  /** Those below it first: nobody outlives whom they work for. */
  #end(agentId: AgentId, outcome: Extract<Action, { kind: 'end' }>['outcome']): void {
    for (const other of this.#listLive(agentId)) {
      const own = other.agentId === agentId ? outcome : ({ kind: 'cancelled', by: agentId } as const);
      this.#open = this.#open.filter((work) => work.agentId !== other.agentId);
      const end = { type: 'agent-finish', outcome: own, report: fakeBlob('report'), activeMs: this.#later() } as const;
      this.#add(other.agentId, [end]);
    }
  }

  /** The agent and all that work for it, the lowest first; never the root. */
  #listLive(agentId: AgentId): AgentState[] {
    const all = Object.values(this.state.agents).filter(
      (agent) => agent.ended === null && agent.assignment !== null && isWithin(agent.agentId, agentId),
    );
    return all.reverse();
  }

  #finishOne(): boolean {
    if (this.#open.length === 0) return false;
    const work = pick(this.#open, this.#options.random);
    this.#open = this.#open.filter((other) => other !== work);
    this.#add(work.agentId, work.finish());
    this.#crashes();
    return true;
  }

  /** For something that is under way, else for the time of somebody to be over. */
  #waitForSomething(): void {
    if (this.#finishOne()) return;
    const ends = Object.values(this.state.agents).flatMap((agent) => {
      const deadlineMs = deadlineOf(this.state, agent);
      return agent.ended === null && deadlineMs > this.#nowMs && Number.isFinite(deadlineMs) ? [deadlineMs] : [];
    });
    if (ends.length === 0) throw new Error('The plan is empty although nothing is under way');
    this.#nowMs = Math.min(...ends);
  }

  #crashes(): boolean {
    const { random, crashChance = 0 } = this.#options;
    if (this.state.outcome !== null || this.#crashesLeft === 0 || random() >= crashChance) return false;
    this.#crashesLeft -= 1;
    this.#open = [];
    this.#add(rootAgentId, [resumeBody(this.state)]);
    return true;
  }

  #resume(): void {
    this.#resumesLeft -= 1;
    this.#open = [];
    this.#add(rootAgentId, sayAnything(this.state, this.#options.random));
    this.#add(rootAgentId, [resumeBody(this.state)]);
  }

  #add(agentId: AgentId, bodies: Transaction, step: number | null = null): void {
    for (const body of bodies) {
      const place = step ?? this.state.agents[agentId]?.step ?? 0;
      applyEvent(
        this.state,
        this.#toEvent(placeOfBody(this.state, body) ?? agentId, place, body, this.events.length + 1),
      );
    }
  }

  #toEvent(agentId: AgentId, step: number, body: EventBody, seq: number): JournalEvent {
    const event: JournalEvent = { runId, agentId, step, seq, at: 1_000_000 + seq, ...body };
    this.events.push(event);
    return event;
  }

  #later(): number {
    this.#nowMs = Math.max(this.#nowMs, this.state.activeMs) + Math.floor(this.#options.random() * 10);
    return this.#nowMs;
  }

  #until(chance: number): number | null {
    const { random } = this.#options;
    return random() < chance ? this.#later() + Math.floor(random() * 60) : null;
  }
}

/** The agent that acts; the end of the run is the root's. */
const placeOf = (action: Action): AgentId => ('agentId' in action ? action.agentId : rootAgentId);

/** A decision stands where its question does. */
function placeOfBody(state: RunState, body: EventBody): AgentId | null {
  if (body.type !== 'approval-decision') return null;
  return Object.values(state.agents).find(({ agentId }) => body.request.startsWith(`${agentId}:`))?.agentId ?? null;
}

function pickTool(random: () => number): string {
  const tools = [
    'spawn_agent',
    'spawn_agent',
    'wait_agents',
    'read_messages',
    'send_message',
    'edit_file',
    'read_file',
  ];
  return pick([...tools, 'read_file', 'shell'], random);
}

const begin = (tool: string, call: number): EventBody => ({
  type: 'call-start',
  call,
  tool,
  class: 'repeat',
  risky: false,
});
