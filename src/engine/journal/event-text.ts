// How an event stands in its table: one JSON text that holds its envelope too, all but the run. The columns beside it are
// for queries. Reading one column instead of seven takes a fifth off the time to open a long run.
import type { EventBody, EventEnvelope } from '../../shared/event.ts';

/**
 * The version of the event shapes this engine writes. It rises when a shape gains what an older engine must not ignore;
 * an event with a higher one is refused by the reader instead of being half understood.
 */
export const eventVersion: number = 1;

/** The text to store; it names its version only when that is not the first one. */
export function toEventText({ agentId, step, seq, at }: Omit<EventEnvelope, 'runId'>, body: EventBody): string {
  const version = eventVersion === 1 ? {} : { version: eventVersion };
  return JSON.stringify({ agentId, step, seq, at, ...version, ...body });
}
