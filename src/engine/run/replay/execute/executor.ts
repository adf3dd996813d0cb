// Goes along with a replay and has run again what the run has run: verdicts, questions, calls, checks and rewinds. Each is
// done when its recorded end comes, on the state in which it was begun: so of a call that was interrupted, or had a way out of
// this machine, it is known before that it is not to be run.
import { worktreeOf } from '../../../../shared/agent-tree.ts';
import type { EventOf, JournalEvent } from '../../../../shared/event.ts';
import { agentOf, callOf } from '../../../../shared/find-in-run.ts';
import { rootAgentId } from '../../../../shared/id.ts';
import type { RunState } from '../../../../shared/run-state.ts';
import { assertGoingOn } from '../../../journal/retention/assert-going-on.ts';
import { agentToolNames } from '../../../tool/create-tools.ts';
import type { Action } from '../../action.ts';
import { judgeCall } from '../../judge-call.ts';
import { raiseRequests } from '../../raise-requests.ts';
import { putBackRewound } from '../../rewind/finish-rewind.ts';
import { runCheck } from '../../run-check.ts';
import { compare, type Mismatch } from '../divergence.ts';
import type { FollowedEvent } from '../replay-run.ts';
import { branchState } from './branch-state.ts';
import type { ExecutionTally } from './execution-tally.ts';
import { createRecordedEvents, type RecordedEvents } from './recorded-events.ts';
import { type CallEvent, RunAgain } from './run-again.ts';
import type { ScratchWorld } from './scratch-ports.ts';
import type { ScratchRecorder } from './scratch-recorder.ts';
import { findWhyNotRun, type RecordedCall, wasInterrupted } from './why-not-run.ts';

/** A call that was started, and has not come to its recorded end. */
interface OpenCall extends Omit<RecordedCall, 'end'> {
  /** The run as it was started in. */
  readonly state: RunState;
}

export class Executor {
  readonly #world: ScratchWorld;
  readonly #tally: ExecutionTally;
  readonly #again: RunAgain;
  readonly #recorded: RecordedEvents;
  readonly #open = new Map<string, OpenCall>();
  /** Calls whose recorded result was taken. */
  readonly #left = new Set<string>();
  /** Of each recorded question what it came to in the scratch copy. */
  readonly #digests = new Map<string, string>();
  /** Recorded events that were compared with those before them. */
  readonly #compared = new Set<number>();

  constructor(world: ScratchWorld, tally: ExecutionTally) {
    this.#world = world;
    this.#tally = tally;
    this.#again = new RunAgain(world);
    this.#recorded = createRecordedEvents(world.reader, world.runId);
  }

  /** Before the event is folded in. Null where nothing was run again, or came to nothing else. */
  async follow({ event, state, action }: FollowedEvent): Promise<Mismatch | null> {
    assertGoingOn(this.#world.signal);
    if (event.type === 'run-start' || event.type === 'run-resume') {
      this.#again.takeUp(event, state);
      return null;
    }
    if (state === null || this.#compared.delete(event.seq)) return null;
    // The scratch copy is one of the workspace.
    if (worktreeOf(state, agentOf(state, event)) !== null) return this.#passOver(event, state);
    switch (event.type) {
      case 'act-judged':
        return this.#followVerdict(event, state, action);
      case 'approval-request':
      case 'approval-lapse':
        return this.#followAction(event, state, action);
      case 'call-start':
        // What it says to other agents they do by themselves.
        if (agentToolNames.has(event.tool) && callOf(agentOf(state, event), event.call).staged === null) return null;
        this.#open.set(toKey(event), { state: this.#branch(event, state), start: event, network: false, exit: null });
        return null;
      case 'sandbox-create':
      case 'sandbox-exit':
        this.#note(event);
        return null;
      case 'call-stage':
        return this.#end(event);
      case 'call-finish':
        return isStarted(event, state) ? this.#end(event) : this.#followAction(event, state, action);
      case 'check-finish':
        return this.#check(event, state);
      case 'run-rewind':
        return this.#rewind(event, state);
      case 'step-finish':
        this.#forget(event);
        return null;
      default:
        return null;
    }
  }

  #passOver(event: JournalEvent, state: RunState): null {
    return event.type === 'call-finish' ? this.#leave(event, state, 'its agent worked in a worktree of its own') : null;
  }

  async #followVerdict(event: EventOf<'act-judged'>, state: RunState, action: Action | null): Promise<Mismatch | null> {
    const { verdicts, next } = this.#recorded.readVerdicts(event);
    if (action?.kind === 'start') {
      // What stands before the start of a call is compared with it.
      return next?.type === 'call-start' ? null : this.#start(event, state);
    }
    if (action?.kind !== 'judge' && action?.kind !== 'settle') return null;
    const { agentId, call } = event;
    const recorder = await this.#again.run(event, this.#branch(event, state), (ports) =>
      judgeCall(ports, { agentId, call }),
    );
    return this.#compareAll(recorder, event, state, verdicts);
  }

  /** What is asked, or answered without a start. */
  async #followAction(event: CallEvent, state: RunState, action: Action | null): Promise<Mismatch | null> {
    switch (action?.kind) {
      case 'request':
        return this.#ask(event, state, action);
      case 'start':
        return this.#start(event, state);
      case 'settle':
        return event.type === 'call-finish' ? this.#settle(event, state) : null;
      default:
        return null;
    }
  }

  async #ask(
    event: CallEvent,
    state: RunState,
    action: Extract<Action, { kind: 'request' }>,
  ): Promise<Mismatch | null> {
    const { signal } = this.#world;
    const recorder = await this.#again.run(event, this.#branch(event, state), (ports) =>
      raiseRequests(ports, action, signal),
    );
    const recorded = this.#recorded.readOwn(event, recorder.bodies.length);
    for (const [place, body] of recorder.bodies.entries()) {
      const asked = recorded[place];
      if (body.type !== 'approval-request' || asked?.type !== 'approval-request') continue;
      if (body.digest !== undefined && asked.digest !== undefined) this.#digests.set(asked.digest, body.digest);
    }
    return this.#compareAll(recorder, event, state, recorded);
  }

  /** Of a call that is sent back just before its start, or answered without one. */
  async #start(event: CallEvent, state: RunState): Promise<Mismatch | null> {
    const recorder = await this.#again.runCall(event, this.#branch(event, state));
    const recorded = this.#recorded.readOwn(event, recorder.bodies.length);
    const mismatch = this.#compareAll(recorder, event, state, recorded);
    if (mismatch === null && event.type === 'call-finish') this.#tally.count('call');
    return mismatch;
  }

  async #end(event: RecordedCall['end']): Promise<Mismatch | null> {
    const key = toKey(event);
    const open = this.#open.get(key);
    if (open === undefined) return null;
    this.#open.delete(key);
    const recorded: RecordedCall = { ...open, end: event };
    const because = findWhyNotRun(recorded);
    if (because !== null) return this.#leave(event, open.state, because);
    const mismatch = this.#again.compareCall(await this.#again.runCall(event, open.state), recorded);
    if (mismatch === null && event.type === 'call-finish' && !this.#left.has(key)) this.#tally.count('call');
    return mismatch;
  }

  /** Of a change that a crash interrupted, the recorded end tells whether it was made. */
  async #settle(event: EventOf<'call-finish'>, state: RunState): Promise<Mismatch | null> {
    const { stage } = callOf(agentOf(state, event), event.call);
    const wasMade = stage.kind === 'interrupted' && stage.change !== null && event.status === 'ok';
    return wasMade ? this.#end(event) : this.#leave(event, state, wasInterrupted);
  }

  async #check(event: EventOf<'check-finish'>, state: RunState): Promise<Mismatch | null> {
    const { agentId, trigger } = event;
    const action = { kind: 'check', agentId, trigger } as const;
    const { signal } = this.#world;
    const recorder = await this.#again.run(event, this.#branch(event, state), (ports) =>
      runCheck(ports, action, signal),
    );
    const mismatch = this.#again.compareFirst(recorder, { name: 'the check' }, event);
    if (mismatch === null) this.#tally.count('check');
    return mismatch;
  }

  async #rewind({ files }: EventOf<'run-rewind'>, state: RunState): Promise<Mismatch | null> {
    const { reader, scratch } = this.#world;
    if (state.rewinding === null) return null;
    const stance = { ...this.#again.driver.stanceOf(state, { agentId: rootAgentId }), isTainted: false };
    const made = await putBackRewound({ reader, guard: scratch.guard, stance }, state.rewinding, 'own');
    const toText = (each: typeof files) => each.map(({ path, fate }) => `${path}: ${fate}`).join('\n');
    return compare('files put back by the rewind', toText(made), toText(files));
  }

  #compareAll(recorder: ScratchRecorder, event: CallEvent, state: RunState, recorded: readonly JournalEvent[]) {
    for (const { seq } of recorded) if (seq !== event.seq) this.#compared.add(seq);
    return this.#again.compareAll(recorder, this.#again.name(event, state), recorded);
  }

  #leave(event: RecordedCall['end'], state: RunState, because: string): null {
    const { agentId, step, call } = event;
    const { tool, target } = this.#again.read(event, state);
    this.#left.add(toKey(event));
    this.#tally.leave({ agentId, step, call, tool: tool.name, target, because });
    return null;
  }

  #branch({ agentId }: JournalEvent, state: RunState): RunState {
    return branchState(state, { agentId, digests: this.#digests, paths: this.#world.scratch.paths });
  }

  #forget({ agentId, step }: JournalEvent): void {
    const isOver = (key: string): boolean => key.startsWith(`${agentId}:${step}:`);
    for (const key of [...this.#open.keys()].filter(isOver)) this.#open.delete(key);
    for (const key of [...this.#left].filter(isOver)) this.#left.delete(key);
  }

  #note(event: EventOf<'sandbox-create'> | EventOf<'sandbox-exit'>): void {
    const { call } = event;
    if (call === undefined) return;
    const key = toKey({ ...event, call });
    const open = this.#open.get(key);
    if (open === undefined) return;
    const noted = event.type === 'sandbox-exit' ? { exit: event } : { network: event.network === true };
    this.#open.set(key, { ...open, ...noted });
  }
}

const toKey = ({ agentId, step, call }: Pick<CallEvent, 'agentId' | 'step' | 'call'>): string =>
  `${agentId}:${step}:${call}`;

function isStarted(event: CallEvent, state: RunState): boolean {
  return callOf(agentOf(state, event), event.call).stage.kind === 'started';
}
