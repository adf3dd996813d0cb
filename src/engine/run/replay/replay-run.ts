// Goes through the journal of a run as if it were driven by the present engine, with the recorded replies and results in place
// of a model and of tools, and stops where something else stands there than follows. It runs no tool, needs neither network
// nor workspace, and writes nothing.

import { isEngineError } from '../../../shared/engine-error.ts';
import { engineVersion } from '../../../shared/engine-version.ts';
import { type JournalEvent, PersonEventBody } from '../../../shared/event.ts';
import { applyEvent, foldRun } from '../../../shared/fold-run.ts';
import type { RunState } from '../../../shared/run-state.ts';
import type { TaskContract } from '../../../shared/task-contract.ts';
import { createBlob } from '../../journal/create-blob.ts';
import type { JournalReader } from '../../journal/journal.ts';
import type { Redactor } from '../../journal/redactor.ts';
import type { Divergence, Replay } from '../engine.ts';
import { systemPrompt, toPrompt } from '../to-prompt.ts';
import { createTranscript, type Transcript } from '../transcript.ts';
import { compareEvent } from './compare-event.ts';
import { compare, type Mismatch, toDivergence } from './divergence.ts';
import { findAction, type View } from './find-action.ts';
import { createIntactBlobs } from './intact-blobs.ts';
import { type ChooseTools, comparePolicy, createReplayedDriver, type ReplayedDriver } from './replayed-driver.ts';

export interface ReplayOptions {
  readonly reader: JournalReader;
  readonly runId: RunState['runId'];
  readonly contract: TaskContract;
  readonly redactor: Redactor;
  readonly chooseTools: ChooseTools;
  readonly isGenuine: (seq: number) => boolean;
  /** Whether this home has the key for what the run has sealed. */
  readonly keys: 'own' | 'perhaps';
}

const batchSize = 1000;

export function replayRun(options: ReplayOptions): Replay {
  const replaying = new Replaying(options);
  let seq = 0;
  for (;;) {
    const events = options.reader.readEvents(options.runId, seq, batchSize);
    for (const [place, event] of events.entries()) {
      const mismatch = replaying.take(event, events[place + 1] ?? null, seq + 1);
      seq += 1;
      if (mismatch !== null) return replaying.toReplay(toDivergence(event, mismatch));
    }
    if (events.length < batchSize) return replaying.toReplay(null);
  }
}

const unreadableCodes: ReadonlySet<string> = new Set(['store-damaged', 'blob-missing']);
const personTypes: ReadonlySet<string> = new Set(PersonEventBody.options.map(({ shape }) => shape.type.value));

/** What people said the driver notices at its next commit; it never has so much planned before that. */
const maxAge = 64;
const maxViews = 4;

interface LateView extends View {
  /** Events since it parted from what the journal says. */
  age: number;
}

class Replaying {
  readonly #options: ReplayOptions;
  readonly #transcript: Transcript;
  readonly #blobs;
  #driver: ReplayedDriver | null = null;
  /** The run as the journal has it, and as the driver may still have seen it. */
  #view: View | null = null;
  #late: LateView[] = [];
  readonly #counts = { events: 0, requests: 0, unnamed: 0, verdicts: 0, calls: 0 };

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#transcript = createTranscript(options.reader);
    this.#blobs = createIntactBlobs(options.reader, options.keys);
  }

  toReplay(divergence: Divergence | null): Replay {
    return { runId: this.#options.runId, ...this.#counts, sealed: this.#blobs.sealed, divergence };
  }

  /** Null where the event is what follows. */
  take(event: JournalEvent, next: JournalEvent | null, seq: number): Mismatch | null {
    const mismatch = compare('sequence', String(seq), String(event.seq)) ?? this.#blobs.check(event);
    if (mismatch !== null) return mismatch;
    this.#count(event);
    if (this.#view === null) return this.#begin(event, next);
    if (personTypes.has(event.type)) return this.#hear(event, this.#view);
    const found = this.#compare(event, this.#view);
    if (found !== null) return found;
    return this.#fold(event, this.#view);
  }

  #begin(event: JournalEvent, next: JournalEvent | null): Mismatch | null {
    if (event.type !== 'run-start') return compare('beginning', 'run-start', event.type);
    const { reader, contract, redactor } = this.#options;
    const prompts = [event.system.hash, event.prompt.hash].join(' ');
    const derived = [
      createBlob(systemPrompt, { origin: 'engine' }),
      createBlob(toPrompt(contract), { origin: 'contract', redactor }),
    ];
    const isOwn = next?.type !== 'run-fork' && event.engineVersion === engineVersion;
    const expected = isOwn ? derived.map(({ ref }) => ref.hash).join(' ') : prompts;
    const mismatch = compare('prompt', expected, prompts) ?? comparePolicy(reader, event);
    const state = foldRun(null, [event]);
    if (mismatch !== null || state === null) return mismatch;
    this.#driver = createReplayedDriver(this.#options, event, null);
    this.#view = { state, pending: [] };
    return null;
  }

  /** The driver may not have heard of it yet when it wrote what comes next. */
  #hear(event: JournalEvent, view: View): Mismatch | null {
    if (this.#late.length < maxViews) {
      this.#late.push({ state: structuredClone(view.state), pending: view.pending, age: 0 });
    }
    return tryFold(view.state, event);
  }

  #compare(event: JournalEvent, view: View): Mismatch | null {
    const mismatch = this.#compareIn(view, event);
    if (mismatch === null || this.#late.some((late) => this.#compareIn(late, event) === null)) return null;
    return mismatch;
  }

  #compareIn(view: View, event: JournalEvent): Mismatch | null {
    const { reader, redactor } = this.#options;
    const driver = this.#driver;
    if (event.type === 'run-resume') return comparePolicy(reader, event);
    if (driver === null) return null;
    const found = findAction(view, event, (tool) => driver.tools.get(tool)?.kind ?? 'write');
    if (found.kind === 'none') return found.mismatch;
    try {
      const ports = { reader, redactor, transcript: this.#transcript, driver };
      return compareEvent(ports, view.state, event, found.action);
    } catch (error) {
      // What rests on an original that is sealed elsewhere, or was left there, cannot be derived again here.
      if (this.#blobs.sealed > 0 && isEngineError(error) && unreadableCodes.has(error.code)) return null;
      throw error;
    }
  }

  #fold(event: JournalEvent, view: View): Mismatch | null {
    const mismatch = tryFold(view.state, event);
    if (mismatch !== null) return mismatch;
    if (event.type === 'run-resume') {
      this.#driver = createReplayedDriver(this.#options, event, view.state);
      view.pending = [];
    }
    const hasCommitted = event.type === 'run-resume' || event.type === 'model-finish';
    this.#late = hasCommitted
      ? []
      : this.#late.filter((late) => ++late.age < maxAge && tryFold(late.state, event) === null);
    return null;
  }

  #count(event: JournalEvent): void {
    this.#counts.events += 1;
    if (event.type === 'model-finish') {
      this.#counts.requests += 1;
      if (event.request === undefined) this.#counts.unnamed += 1;
    }
    if (event.type === 'act-judged') this.#counts.verdicts += 1;
    if (event.type === 'call-finish') this.#counts.calls += 1;
  }
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
