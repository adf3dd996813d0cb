// The loop: fold, plan, perform, until the plan says stop. It knows no tool and no provider, and keeps no state of its own:
// killed at any line, the next driver goes on from what the journal holds. Every agent goes round a loop of its own; here is
// what keeps them together.
import { hasEnded, isWithin } from '../../shared/agent-tree.ts';
import { EngineError } from '../../shared/engine-error.ts';
import type { EventPlace, JournalEvent } from '../../shared/event.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import { type AgentId, rootAgentId } from '../../shared/id.ts';
import { isFinal, type RunOutcome } from '../../shared/outcome.ts';
import { driveAgent, type Rest } from './agents/drive-agent.ts';
import { type Ending, endAgents } from './agents/end-agent.ts';
import { createSlots, type Slots } from './agents/slots.ts';
import { createWake, type Wake } from './agents/wake.ts';
import type { DriverPorts } from './driver-ports.ts';
import { type Lookout, openLookout } from './lookout.ts';
import { isForPeople, mergeWaiting } from './merge-waiting.ts';
import { plan, planWishes } from './plan.ts';
import { recordProcesses } from './record-processes.ts';

/** The signal that asks the process to end; the run then stops where it stands and can be resumed. */
export type StopSignal = 'SIGINT' | 'SIGTERM';

/**
 * Drives a run to its outcome. `interrupt` aborts with a `StopSignal` as its reason. Throws only what leaves the run without
 * an outcome: a failing journal, or a lost lease.
 */
export async function driveRun(ports: DriverPorts, interrupt: AbortSignal): Promise<RunOutcome> {
  const wake = createWake();
  using lookout = openLookout({ interrupt, reader: ports.reader, recorder: ports.recorder, onNews: wake.ring });
  const driver = new Driver({ ports, interrupt, wake, lookout });
  try {
    return await driver.drive();
  } finally {
    // Nothing of it may go on behind a driver that is gone.
    await driver.halt('interrupted');
  }
}

interface DriverOptions {
  readonly ports: DriverPorts;
  readonly interrupt: AbortSignal;
  readonly wake: Wake;
  readonly lookout: Lookout;
}

class Driver {
  readonly #options: DriverOptions;
  readonly #slots: Slots;
  /** Each agent's own ports, its processes among them. */
  readonly #opened = new Map<AgentId, DriverPorts>();
  readonly #busy = new Map<AgentId, Promise<void>>();
  /** Why those rest that are not at work. */
  readonly #rests = new Map<AgentId, Rest>();
  /** Those for which something may have changed. */
  readonly #due = new Set<AgentId>();
  #failure: { readonly error: unknown } | null = null;

  constructor(options: DriverOptions) {
    const { recorder } = options.ports;
    this.#options = options;
    this.#slots = createSlots(recorder.state.settings.containment?.concurrent ?? 1);
    this.#opened.set(rootAgentId, options.ports);
    this.#wakeAll();
    recorder.onFold((event) => this.#hear(event));
  }

  async drive(): Promise<RunOutcome> {
    const { ports, interrupt } = this.#options;
    const { recorder } = ports;
    for (;;) {
      if (this.#failure !== null) throw this.#failure.error;
      recorder.catchUp();
      if (interrupt.aborted) return this.#finish({ kind: 'interrupted', signal: toStopSignal(interrupt.reason) });
      if (planWishes(recorder.state).kind !== 'none') {
        // What is under way is brought to its end before a pause; a cancel has cut it off.
        await this.#settle();
        const wished = this.#findWished();
        if (wished !== null) return this.#finish(wished);
      }
      for (const agentId of this.#due) this.#start(agentId);
      const outcome = this.#findOutcome();
      if (outcome !== null) return this.#finish(outcome);
      await this.#waitForNews();
    }
  }

  /** Cuts off whatever is under way, and settles when nothing is. */
  async halt(reason: string): Promise<void> {
    this.#options.lookout.cutOff(rootAgentId, reason);
    await this.#settle();
  }

  async #settle(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy.values());
  }

  #start(agentId: AgentId): void {
    if (this.#busy.has(agentId)) return; // It plans again before it rests.
    this.#due.delete(agentId);
    this.#rests.delete(agentId);
    if (hasEnded(this.#options.ports.recorder.state, agentId)) return;
    this.#track(agentId, this.#drive(agentId));
  }

  async #drive(agentId: AgentId): Promise<void> {
    const { lookout, ports } = this.#options;
    if (!this.#opened.has(agentId)) await ports.recorder.commit(); // Its task is read out of the journal.
    const onRest = (rest: Rest): void => this.#rest(agentId, rest);
    const rest = await driveAgent({ ports: this.#open(agentId), lookout, slots: this.#slots, onRest }, agentId);
    if (rest.kind === 'end') await this.#end(agentId, rest.outcome);
  }

  #rest(agentId: AgentId, rest: Rest): void {
    if (rest.kind !== 'queued') for (const next of this.#slots.leave(agentId)) this.#due.add(next);
    if (rest.kind !== 'end' && !hasEnded(this.#options.ports.recorder.state, agentId)) this.#rests.set(agentId, rest);
  }

  /** Nobody outlives whom they work for. */
  async #end(agentId: AgentId, outcome: RunOutcome): Promise<void> {
    const { lookout, ports } = this.#options;
    lookout.cutOff(agentId, 'agent-end');
    const { children } = agentOf(ports.recorder.state, { agentId });
    const below = children.length === 0 ? [] : await this.#settleBelow(agentId);
    const by = { kind: 'cancelled', by: agentId } as const;
    const ending = [...below.map((other) => this.#toEnding(other, by)), this.#toEnding(agentId, outcome)];
    await endAgents(ending);
    for (const ended of ending) this.#close(ended.agentId);
  }

  /** Those that have not ended when nothing of it is under way any more. */
  async #settleBelow(agentId: AgentId): Promise<AgentId[]> {
    const busy = [...this.#busy].filter(([other]) => other !== agentId && isWithin(other, agentId));
    await Promise.all(busy.map(([, work]) => work));
    return listLive(this.#options.ports, agentId).filter((other) => other !== agentId);
  }

  /** Nothing of an agent is held any longer than it is at work. */
  #close(agentId: AgentId): void {
    this.#opened.delete(agentId);
    this.#options.ports.transcript.forget(agentId);
  }

  #toEnding(agentId: AgentId, outcome: RunOutcome): Ending {
    return { ports: this.#open(agentId), agentId, outcome };
  }

  #track(agentId: AgentId, work: Promise<void>): void {
    const done = work
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#busy.delete(agentId);
        this.#options.wake.ring();
      });
    this.#busy.set(agentId, done);
  }

  #open(agentId: AgentId): DriverPorts {
    const known = this.#opened.get(agentId);
    if (known !== undefined) return known;
    const { ports } = this.#options;
    const opened = { ...ports, ...ports.openAgent(agentId) };
    this.#opened.set(agentId, opened);
    return opened;
  }

  /** Who may go on because of an event; whoever is at work looks again anyway. */
  #hear(event: JournalEvent | null): void {
    switch (event?.type) {
      case undefined:
        this.#wakeAll();
        break;
      case 'agent-spawn':
        this.#due.add(event.child);
        break;
      case 'agent-finish':
        this.#forget(event.agentId);
        this.#wakeAbove(event.agentId);
        this.#wakeForRoom();
        break;
      case 'mail-send':
        this.#due.add(event.to);
        break;
      case 'model-finish':
      case 'model-fail':
      case 'review-finish':
        this.#wakeForRoom();
        break;
    }
    // Whoever did this may be at work for long.
    if (this.#due.size > 0) this.#options.wake.ring();
  }

  #wakeAll(): void {
    for (const agentId of listLive(this.#options.ports, rootAgentId)) this.#due.add(agentId);
  }

  /** It waits for nothing any more, whoever has ended it, and its place is free. */
  #forget(agentId: AgentId): void {
    this.#rests.delete(agentId);
    for (const next of this.#slots.leave(agentId)) this.#due.add(next);
  }

  #wakeAbove(agentId: AgentId): void {
    const { assignment } = agentOf(this.#options.ports.recorder.state, { agentId });
    if (assignment !== null) this.#due.add(assignment.parent);
  }

  /** Something that was set aside is free again. */
  #wakeForRoom(): void {
    for (const [agentId, rest] of this.#rests)
      if (rest.kind === 'idle' && rest.wants === 'room') this.#due.add(agentId);
  }

  /** What people want of the run, unless it has come to its end by itself. Null: it is wanted no more. */
  #findWished(): RunOutcome | null {
    const { recorder, clock, tools } = this.#options.ports;
    const kindOf = (tool: string) => tools.get(tool)?.kind ?? 'write';
    const actions = plan(recorder.state, { activeMs: clock.activeMs() }, kindOf);
    return actions.find((action) => action.kind === 'stop')?.outcome ?? null;
  }

  #findOutcome(): RunOutcome | null {
    const root = this.#rests.get(rootAgentId);
    if (root?.kind === 'stop' && !isForPeople(root.stop.outcome)) return root.stop.outcome;
    const rests = [...this.#rests.values()];
    const canGoOn = this.#busy.size > 0 || this.#due.size > 0 || rests.some(({ kind }) => kind === 'until');
    if (canGoOn || rests.some(({ kind }) => kind === 'answer')) return null;
    // In the order of the tree: what the run comes to does not hang on who came to rest first.
    const waiting = listLive(this.#options.ports, rootAgentId)
      .toReversed()
      .flatMap((agentId) => {
        const rest = this.#rests.get(agentId);
        return rest?.kind === 'stop' ? [rest.stop] : [];
      });
    if (waiting.length === 0) throw nothingToDo();
    return mergeWaiting(waiting).outcome;
  }

  /** Until somebody has done something, or the time of one that rests has come. */
  async #waitForNews(): Promise<void> {
    const { ports, wake } = this.#options;
    if (this.#due.size > 0 && [...this.#due].some((agentId) => !this.#busy.has(agentId))) return;
    const isActive = this.#busy.size > 0 || [...this.#rests.values()].some(({ kind }) => kind === 'until');
    // Time in which everybody waits for people is nobody's.
    using _rest = isActive ? null : ports.clock.rest();
    const alarms = isActive ? [...this.#rests].flatMap(toAlarm) : [];
    const nextMs = Math.min(...alarms.map(({ atMs }) => atMs - ports.clock.activeMs()));
    await wake.wait(Number.isFinite(nextMs) ? Math.max(0, nextMs) : null);
    const nowMs = ports.clock.activeMs();
    for (const { agentId, atMs } of alarms) if (atMs <= nowMs) this.#due.add(agentId);
  }

  /** What the run has kept going ends before it does: what they left is part of it. */
  async #finish(outcome: RunOutcome): Promise<RunOutcome> {
    const { ports } = this.#options;
    const { recorder, clock } = ports;
    await this.halt('run-finish');
    if (this.#failure !== null) throw this.#failure.error;
    // After what is not final the agents are gone on with by whoever takes the run up.
    await Promise.all([...this.#opened.values()].map(({ processes }) => processes[Symbol.asyncDispose]()));
    for (const [agentId, opened] of this.#opened) await recordProcesses(opened, toPlace(ports, agentId));
    if (isFinal(outcome)) {
      const left = listLive(ports, rootAgentId).filter((agentId) => agentId !== rootAgentId);
      await endAgents(left.map((agentId) => this.#toEnding(agentId, toLeft(outcome))));
    }
    recorder.emit(toPlace(ports, rootAgentId), { type: 'run-finish', outcome, activeMs: clock.activeMs() });
    await recorder.commit();
    return outcome;
  }
}

/** When the agent looks again although nobody has done anything. */
function toAlarm([agentId, rest]: readonly [AgentId, Rest]): { agentId: AgentId; atMs: number }[] {
  switch (rest.kind) {
    case 'until':
      return [{ agentId, atMs: rest.activeMs }];
    case 'idle':
    case 'queued':
      return rest.deadlineMs === null ? [] : [{ agentId, atMs: rest.deadlineMs }];
    case 'answer':
    case 'stop':
    case 'end':
      return [];
  }
}

const toLeft = (outcome: RunOutcome): RunOutcome =>
  outcome.kind === 'cancelled' ? outcome : { kind: 'cancelled', by: rootAgentId };

/** The agent with those below it that have not ended, the lowest first. */
function listLive({ recorder }: DriverPorts, agentId: AgentId): AgentId[] {
  const { state } = recorder;
  const all = Object.values(state.agents).filter((agent) => agent.ended === null && isWithin(agent.agentId, agentId));
  return all.map((agent) => agent.agentId).reverse();
}

function toPlace({ recorder }: DriverPorts, agentId: AgentId): EventPlace {
  return { agentId, step: agentOf(recorder.state, { agentId }).step };
}

const toStopSignal = (reason: unknown): StopSignal => (reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT');

const nothingToDo = (): EngineError =>
  new EngineError('internal', 'The run is not over, and there is nothing to do next.', {
    remedy: 'This is a fault of the engine: please report it with the trace of the run.',
  });
