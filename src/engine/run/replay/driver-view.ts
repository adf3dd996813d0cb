// The run as its driver saw it. What people say stands in the journal at once, and the driver hears of it with a later commit;
// until then it goes on as if nothing had been said. Which commit that was is written nowhere, so what is kept here is the
// least that it must have heard to write what it wrote.
import { type JournalEvent, PersonEventBody } from '../../../shared/event.ts';
import { applyEvent } from '../../../shared/fold-run.ts';
import type { RunState } from '../../../shared/run-state.ts';
import type { Mismatch } from './divergence.ts';
import type { View } from './find-action.ts';

export interface DriverView {
  /** The run as the journal has it. */
  readonly state: RunState;
  /** The run as the driver sees it. */
  readonly seen: View;
  /** Has the driver hear the next thing that was said; false where there is none. */
  hearNext(): boolean;
  hearAll(): void;
  /** Folds an event in; what a person says the driver has not heard yet. */
  fold(event: JournalEvent): Mismatch | null;
}

/** Where the driver is behind the journal. */
interface Lag {
  /** The run before the first thing that it has not heard. */
  readonly base: RunState;
  /** Everything from there on. */
  readonly events: JournalEvent[];
  /** The base with all of it that the driver wrote. */
  readonly state: RunState;
}

const personTypes: ReadonlySet<string> = new Set(PersonEventBody.options.map(({ shape }) => shape.type.value));

export const isPersonEvent = ({ type }: JournalEvent): boolean => personTypes.has(type);

/** No driver writes so much, for each of its agents, before it hears what was said. */
const maxUnheard = 1024;

export function createDriverView(state: RunState): DriverView {
  const pending: View['pending'] = new Map();
  let lag: Lag | null = null;
  const hearAll = () => {
    lag = null;
  };
  const hearNext = (): boolean => {
    if (lag === null) return false;
    const { base, events } = lag;
    const second = events.findIndex((event, place) => place > 0 && isPersonEvent(event));
    if (second === -1) {
      hearAll();
      return true;
    }
    for (const event of events.slice(0, second)) applyEvent(base, event);
    const left = events.slice(second);
    const seen = structuredClone(base);
    lag = { base, events: left, state: seen };
    return foldWritten(seen, left) || hearNext();
  };
  const say = (event: JournalEvent) => {
    lag ??= { base: structuredClone(state), events: [], state: structuredClone(state) };
    lag.events.push(event);
    return tryFold(state, event);
  };
  const write = (event: JournalEvent): Mismatch | null => {
    const mismatch = tryFold(state, event);
    if (mismatch !== null) return mismatch;
    while (lag !== null && tryFold(lag.state, event) !== null) hearNext();
    if (lag === null) return null;
    lag.events.push(event);
    if (lag.events.length > maxUnheard * Object.keys(state.agents).length) hearAll();
    return null;
  };
  return {
    state,
    get seen() {
      return { state: lag?.state ?? state, pending };
    },
    hearNext,
    hearAll,
    fold: (event) => (isPersonEvent(event) ? say(event) : write(event)),
  };
}

function foldWritten(state: RunState, events: readonly JournalEvent[]): boolean {
  return events.every((event) => isPersonEvent(event) || tryFold(state, event) === null);
}

/** An event about a call or an agent that is not there cannot be folded. */
function tryFold(state: RunState, event: JournalEvent): Mismatch | null {
  try {
    applyEvent(state, event);
    return null;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { what: 'fold', expected: 'an event that the run can have', got: error.message };
  }
}
