// Everything that happens to a run, as the journal keeps it. The union only grows: a shape that was once written is read
// for ever. Two kinds of writer append here: the driver that holds the run's lease, and people (see `PersonEventBody`).
import { z } from 'zod';
import { agentEvents } from './event/agent-events.ts';
import { approvalEvents } from './event/approval-events.ts';
import { callEvents } from './event/call-events.ts';
import { checkEvents } from './event/check-events.ts';
import { forkEvents } from './event/fork-events.ts';
import { modelEvents } from './event/model-events.ts';
import { personEvents } from './event/person-events.ts';
import { processEvents } from './event/process-events.ts';
import { rewindEvents } from './event/rewind-events.ts';
import { runEvents } from './event/run-events.ts';
import { sandboxEvents } from './event/sandbox-events.ts';
import type { AgentId, RunId } from './id.ts';

export { JudgedKind } from './event/approval-events.ts';
export { FileChange, RecoveryClass, SeenFile } from './event/call-events.ts';
export { CheckResult, CheckTrigger } from './event/check-events.ts';
export { ProposedCall, ProviderFailureClass, Reservation } from './event/model-events.ts';
export { Posture, ProviderChoice } from './event/run-events.ts';

const driverEvents = [
  ...runEvents,
  ...rewindEvents,
  ...forkEvents,
  ...agentEvents,
  ...modelEvents,
  ...approvalEvents,
  ...callEvents,
  ...sandboxEvents,
  ...processEvents,
  ...checkEvents,
] as const;

/** What the driver of a run appends under its lease. */
export const DriverEventBody = z.discriminatedUnion('type', [...driverEvents]);
export type DriverEventBody = z.infer<typeof DriverEventBody>;

/** What anyone entitled may append to a run, also while another process drives it. */
export const PersonEventBody = z.discriminatedUnion('type', [...personEvents]);
export type PersonEventBody = z.infer<typeof PersonEventBody>;

export const EventBody = z.discriminatedUnion('type', [...driverEvents, ...personEvents]);
export type EventBody = z.infer<typeof EventBody>;
export type EventType = EventBody['type'];

/** Who an event is about: which agent, and in which trip round its loop. */
export interface EventPlace {
  readonly agentId: AgentId;
  readonly step: number;
}

/** What every event carries besides its body. */
export interface EventEnvelope extends EventPlace {
  readonly runId: RunId;
  /** Position within the run, from 1 without gaps. */
  readonly seq: number;
  /** Wall clock in milliseconds since 1970. */
  readonly at: number;
}

/** One event as it is read: flat, so that one JSON line holds all of it. */
export type JournalEvent = EventEnvelope & EventBody;

/** The event of one type, for code that handles just that one. */
export type EventOf<Type extends EventType> = EventEnvelope & Extract<EventBody, { type: Type }>;
