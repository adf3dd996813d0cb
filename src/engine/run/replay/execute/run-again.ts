// Runs one thing again by the code that a driver does it with, and compares what comes of it with the events that stand there.
import type { EventOf, EventType, JournalEvent } from '../../../../shared/event.ts';
import type { RunState } from '../../../../shared/run-state.ts';
import { assertGoingOn } from '../../../journal/retention/assert-going-on.ts';
import type { CallPorts } from '../../driver-ports.ts';
import { type ReadyCall, readCall } from '../../proposed-call.ts';
import { startCalls } from '../../start-calls.ts';
import type { Mismatch } from '../divergence.ts';
import type { ReplayedDriver } from '../replayed-driver.ts';
import { compareAgain, type Subject } from './compare-again.ts';
import { openScratchDriver, type ScratchWorld, toCallPorts } from './scratch-ports.ts';
import { createScratchRecorder, type ScratchRecorder } from './scratch-recorder.ts';
import type { RecordedCall } from './why-not-run.ts';

export type CallEvent = JournalEvent & { readonly call: number };

export class RunAgain {
  readonly #world: ScratchWorld;
  #driver: ReplayedDriver | null = null;

  constructor(world: ScratchWorld) {
    this.#world = world;
  }

  get driver(): ReplayedDriver {
    if (this.#driver === null) throw new RangeError('A run begins with a driver');
    return this.#driver;
  }

  /** From here on another driver is at work. */
  takeUp(event: EventOf<'run-start'> | EventOf<'run-resume'>, state: RunState | null): void {
    this.#driver = openScratchDriver(this.#world, this.#world.scratch.paths, event, state);
  }

  /** For the agent of the event; `state` is changed by it. */
  async run(
    { agentId }: JournalEvent,
    state: RunState,
    use: (ports: CallPorts) => Promise<void>,
  ): Promise<ScratchRecorder> {
    const recorder = createScratchRecorder(state);
    await use(toCallPorts(this.#world, { driver: this.driver, recorder, agentId }));
    assertGoingOn(this.#world.signal); // What was cut off here is different for that reason alone.
    return recorder;
  }

  runCall(event: CallEvent, state: RunState): Promise<ScratchRecorder> {
    const { agentId, call } = event;
    const action = { kind: 'start', agentId, calls: [call] } as const;
    return this.run(event, state, (ports) => startCalls(ports, action, this.#world.signal));
  }

  /** What stood before the start of a call, the start, how its command ended, and what came of it. */
  compareCall(recorder: ScratchRecorder, { start, exit, end }: RecordedCall): Mismatch | null {
    const subject = this.name(end, recorder.state);
    const before = recorder.bodies.findIndex(({ type }) => type === 'call-start');
    if (before === -1) return this.compareAll(recorder, subject, [start]);
    const verdicts = this.#readVerdictsBefore(start, before);
    for (const [place, verdict] of verdicts.entries()) {
      const mismatch = this.#compareOne(recorder, subject, recorder.bodies[place], verdict);
      if (mismatch !== null) return mismatch;
    }
    return (
      this.compareFirst(recorder, subject, start) ??
      (exit === null ? null : this.compareFirst(recorder, subject, exit)) ??
      this.#compareOne(recorder, subject, recorder.bodies.at(-1), end)
    );
  }

  /** One after the other; there may be no more of the one than of the other. */
  compareAll(recorder: ScratchRecorder, subject: Subject, recorded: readonly JournalEvent[]): Mismatch | null {
    for (let place = 0; place < Math.max(recorder.bodies.length, recorded.length); place++) {
      const mismatch = this.#compareOne(recorder, subject, recorder.bodies[place], recorded[place]);
      if (mismatch !== null) return mismatch;
    }
    return null;
  }

  /** With the first of its type. */
  compareFirst(recorder: ScratchRecorder, subject: Subject, recorded: JournalEvent): Mismatch | null {
    const body = recorder.bodies.find(({ type }) => type === recorded.type);
    return this.#compareOne(recorder, subject, body, recorded);
  }

  /** The call as people know it. */
  name(event: CallEvent, state: RunState): Subject {
    const { tool, target } = this.read(event, state);
    const name = `${tool.name} ${target}`.trim();
    return tool.owns === undefined ? { name } : { name, owns: tool.owns };
  }

  /** What is called, under the names of the original. */
  read(event: CallEvent, state: RunState): Pick<ReadyCall, 'tool' | 'target'> {
    const { redactor, scratch } = this.#world;
    const recorder = createScratchRecorder(state);
    const ports = toCallPorts(this.#world, { driver: this.driver, recorder, agentId: event.agentId });
    const { tool, target } = readCall(ports, event, event.call);
    return { tool, target: redactor.redact(scratch.paths.toOriginal(target)).text };
  }

  #compareOne(
    recorder: ScratchRecorder,
    subject: Subject,
    body: ScratchRecorder['bodies'][number] | undefined,
    recorded: JournalEvent | undefined,
  ): Mismatch | null {
    const { reader, scratch } = this.#world;
    return compareAgain({ reader, paths: scratch.paths }, subject, { body: body ?? null, recorder }, recorded ?? null);
  }

  /** Those of a call alone: others of its reply may stand between them and the start. */
  #readVerdictsBefore(start: EventOf<'call-start'>, count: number): JournalEvent[] {
    if (count === 0) return [];
    const { reader, runId } = this.#world;
    const from = Math.max(0, start.seq - 1 - maxApart);
    const type: EventType = 'act-judged';
    return reader
      .readEvents(runId, from, start.seq - 1 - from)
      .filter((event) => event.type === type && isSameCall(event, start))
      .slice(-count);
  }
}

const maxApart = 1000;

export const isSameCall = (event: JournalEvent, { agentId, step, call }: CallEvent): boolean =>
  'call' in event && event.call === call && event.step === step && event.agentId === agentId;
