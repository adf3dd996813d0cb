// Where in its journal a run stood when a step had ended. Steps of branches that were left behind are no part of the run's
// present, and cannot be gone back to.
import { EngineError } from '../../../shared/engine-error.ts';
import type { EventType, JournalEvent } from '../../../shared/event.ts';
import { rootAgentId } from '../../../shared/id.ts';

/** The types of event that decide about it. */
export const pointEvents: readonly EventType[] = ['model-start', 'rewind-start', 'run-rewind'];

interface BegunStep {
  readonly step: number;
  readonly seq: number;
}

/**
 * The sequence number of the last event that is kept when the run goes back to the end of `step`. `events` are those of
 * `pointEvents`, in order. Throws `usage`.
 */
export function findRewindPoint(events: readonly JournalEvent[], step: number): number {
  const begun = readBegunSteps(events);
  if (step !== 0 && !begun.some((each) => each.step === step)) throw noSuchStep(step, begun);
  const next = begun.find((each) => each.step > step);
  if (next === undefined) throw standsThere(step);
  return next.seq - 1;
}

function readBegunSteps(events: readonly JournalEvent[]): BegunStep[] {
  let begun: BegunStep[] = [];
  let started: { readonly step: number | null; readonly isUndo: boolean } | null = null;
  const left: (readonly BegunStep[] | null)[] = [];
  for (const event of events) {
    switch (event.type) {
      case 'model-start':
        if (event.agentId !== rootAgentId) break; // Others count steps of their own.
        // A request that was never answered is made again under the same number.
        if (begun.every(({ step }) => step < event.step)) begun.push({ step: event.step, seq: event.seq });
        break;
      case 'rewind-start':
        started = { step: event.aim.kind === 'step' ? event.aim.step : null, isUndo: event.aim.kind === 'undo' };
        break;
      case 'run-rewind': {
        const { step, isUndo } = started ?? { step: null, isUndo: false };
        if (isUndo) begun = [...(left.pop() ?? begun)];
        else {
          left.push(step === null ? null : begun);
          if (step !== null) begun = begun.filter((each) => each.step <= step);
        }
        break;
      }
      default:
        break;
    }
  }
  return begun;
}

function noSuchStep(step: number, begun: readonly BegunStep[]): EngineError {
  const steps = begun.map((each) => each.step).join(', ') || 'none';
  return new EngineError('usage', `Step ${step} is no step of the run as it stands; those are: ${steps}.`, {
    remedy: 'Name one of them with --to, or 0 for the beginning of the run.',
  });
}

const standsThere = (step: number): EngineError =>
  new EngineError('usage', `The run stands at the end of step ${step} already: there is nothing after it.`, {
    remedy: 'Name an earlier step with --to; 0 is the beginning of the run.',
  });
