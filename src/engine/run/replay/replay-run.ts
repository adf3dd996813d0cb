// Goes through the journal of a run as if it were driven by the present engine, with the recorded replies and results in place
// of a model and of tools, and stops where something else stands there than follows. By itself it runs no tool, needs neither
// network nor workspace, and writes nothing; what it is given may run again what was run.
import { isEngineError } from '../../../shared/engine-error.ts';
import { engineVersion } from '../../../shared/engine-version.ts';
import type { JournalEvent } from '../../../shared/event.ts';
import { foldRun } from '../../../shared/fold-run.ts';
import type { RunState } from '../../../shared/run-state.ts';
import type { TaskContract } from '../../../shared/task-contract.ts';
import { createBlob } from '../../journal/create-blob.ts';
import type { JournalReader } from '../../journal/journal.ts';
import type { Redactor } from '../../journal/redactor.ts';
import type { Action } from '../action.ts';
import type { Divergence, Replay } from '../engine.ts';
import { systemPrompt, toPrompt } from '../to-prompt.ts';
import { createTranscript, type Transcript } from '../transcript.ts';
import { compareEvent } from './compare-event.ts';
import { compare, type Mismatch, toDivergence } from './divergence.ts';
import { createDriverView, type DriverView, isPersonEvent } from './driver-view.ts';
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

/** An event that follows, before it is folded in. */
export interface FollowedEvent {
  readonly event: JournalEvent;
  /** The run before it; null for the first. Not to be changed. */
  readonly state: RunState | null;
  /** What it came of; null where it needed no plan. */
  readonly action: Action | null;
}

/** Runs again what came to an event, and says what is different; null where nothing was run, or nothing is. */
export type Follower = (followed: FollowedEvent) => Promise<Mismatch | null>;

const batchSize = 1000;

export async function replayRun(options: ReplayOptions, follow: Follower | null = null): Promise<Replay> {
  const replaying = new Replaying(options);
  let seq = 0;
  for (;;) {
    const events = options.reader.readEvents(options.runId, seq, batchSize);
    for (const [place, event] of events.entries()) {
      seq += 1;
      const mismatch = await take(replaying, follow, { event, next: events[place + 1] ?? null, seq });
      if (mismatch !== null) return replaying.toReplay(toDivergence(event, mismatch));
    }
    if (events.length < batchSize) return replaying.toReplay(null);
  }
}

interface Taken {
  readonly event: JournalEvent;
  readonly next: JournalEvent | null;
  /** Where it has to stand. */
  readonly seq: number;
}

async function take(replaying: Replaying, follow: Follower | null, taken: Taken): Promise<Mismatch | null> {
  const { event } = taken;
  const compared = replaying.compare(taken);
  if (compared.kind === 'differs') return compared.mismatch;
  const { state } = replaying;
  const mismatch = follow === null ? null : await follow({ event, state, action: compared.action });
  return mismatch ?? replaying.fold(event);
}

type Compared =
  | { readonly kind: 'follows'; readonly action: Action | null }
  | { readonly kind: 'differs'; readonly mismatch: Mismatch };

const toCompared = (mismatch: Mismatch | null): Compared =>
  mismatch === null ? { kind: 'follows', action: null } : { kind: 'differs', mismatch };

const unreadableCodes: ReadonlySet<string> = new Set(['store-damaged', 'blob-missing']);

class Replaying {
  readonly #options: ReplayOptions;
  readonly #transcript: Transcript;
  readonly #blobs;
  #driver: ReplayedDriver | null = null;
  #isOwnVersion = false;
  #view: DriverView | null = null;
  readonly #counts = { events: 0, requests: 0, unnamed: 0, verdicts: 0, calls: 0 };

  constructor(options: ReplayOptions) {
    this.#options = options;
    this.#transcript = createTranscript(options.reader);
    this.#blobs = createIntactBlobs(options.reader, options.keys);
  }

  /** The run with all that was folded in. */
  get state(): RunState | null {
    return this.#view?.state ?? null;
  }

  toReplay(divergence: Divergence | null): Replay {
    const { sealed } = this.#blobs;
    return { runId: this.#options.runId, ...this.#counts, sealed, divergence, execution: null };
  }

  /** Whether the event is what follows. */
  compare({ event, next, seq }: Taken): Compared {
    const mismatch = compare('sequence', String(seq), String(event.seq)) ?? this.#blobs.check(event);
    if (mismatch !== null) return { kind: 'differs', mismatch };
    this.#count(event);
    if (this.#view === null) return toCompared(this.#compareStart(event, next));
    if (isPersonEvent(event)) return { kind: 'follows', action: null };
    return this.#compare(event, this.#view);
  }

  fold(event: JournalEvent): Mismatch | null {
    return this.#view === null ? this.#begin(event) : this.#fold(event, this.#view);
  }

  #compareStart(event: JournalEvent, next: JournalEvent | null): Mismatch | null {
    if (event.type !== 'run-start') return compare('beginning', 'run-start', event.type);
    const { reader, contract, redactor } = this.#options;
    const prompts = [event.system.hash, event.prompt.hash].join(' ');
    const derived = [
      createBlob(systemPrompt, { origin: 'engine' }),
      createBlob(toPrompt(contract), { origin: 'contract', redactor }),
    ];
    const isOwn = next?.type !== 'run-fork' && event.engineVersion === engineVersion;
    const expected = isOwn ? derived.map(({ ref }) => ref.hash).join(' ') : prompts;
    return compare('prompt', expected, prompts) ?? comparePolicy(reader, event);
  }

  #begin(event: JournalEvent): Mismatch | null {
    const state = foldRun(null, [event]);
    if (event.type !== 'run-start' || state === null) return compare('beginning', 'run-start', event.type);
    this.#driver = createReplayedDriver(this.#options, event, null);
    this.#view = createDriverView(state);
    this.#isOwnVersion = event.engineVersion === engineVersion;
    return null;
  }

  #compare(event: JournalEvent, view: DriverView): Compared {
    for (;;) {
      const compared = this.#compareIn(view.seen, event);
      if (compared.kind === 'follows' || !view.hearNext()) return compared;
    }
  }

  #compareIn(view: View, event: JournalEvent): Compared {
    const { reader, redactor, contract } = this.#options;
    const driver = this.#driver;
    if (event.type === 'run-resume') return toCompared(comparePolicy(reader, event));
    if (driver === null) return toCompared(null);
    const found = findAction(view, event, (tool) => driver.tools.get(tool)?.kind ?? 'write');
    if (found.kind === 'none') return toCompared(found.mismatch);
    const { action } = found;
    try {
      const ports = {
        reader,
        redactor,
        contract,
        transcript: this.#transcript,
        driver,
        isOwnVersion: this.#isOwnVersion,
      };
      const mismatch = compareEvent(ports, view.state, event, action);
      return mismatch === null ? { kind: 'follows', action } : { kind: 'differs', mismatch };
    } catch (error) {
      // What rests on an original that is sealed elsewhere, or was left there, cannot be derived again here.
      if (this.#blobs.sealed > 0 && isEngineError(error) && unreadableCodes.has(error.code)) {
        return { kind: 'follows', action };
      }
      throw error;
    }
  }

  #fold(event: JournalEvent, view: DriverView): Mismatch | null {
    if (event.type === 'run-resume') view.hearAll();
    const mismatch = view.fold(event);
    if (mismatch !== null) return mismatch;
    if (event.type === 'run-resume') {
      this.#driver = createReplayedDriver(this.#options, event, view.state);
      view.seen.pending.clear();
    }
    // A request leaves with a commit; what comes of its reply is written by a driver that may have heard nothing since then.
    if (event.type === 'model-start' && isAlone(view.state)) view.hearAll();
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

/** Others would go on while the commit before a request is under way, and hear of nothing until it is over. */
const isAlone = ({ agents }: RunState): boolean =>
  Object.values(agents).filter(({ ended }) => ended === null).length === 1;
