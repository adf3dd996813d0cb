// Runs of which only the journal matters: begun, told a few texts, and brought to an end.
import { hash } from 'node:crypto';
import { createBlob } from '../../src/engine/journal/create-blob.ts';
import type { Journal, NewBlob, NewEvent } from '../../src/engine/journal/journal.ts';
import { journalWorkerUrl } from '../../src/engine/journal/journal-worker-url.ts';
import { openJournal } from '../../src/engine/journal/open-journal.ts';
import { createRetention, type Retention } from '../../src/engine/journal/retention/open-retention.ts';
import type { RunId } from '../../src/shared/id.ts';
import type { RunOutcome } from '../../src/shared/outcome.ts';
import { at, createTemporaryHome, newRunId, sampleObservation, sampleRunStart, toEvent } from './journal-samples.ts';

export interface OpenedStore extends AsyncDisposable {
  readonly home: string;
  readonly journal: Journal;
  readonly retention: Retention;
}

/** A journal with what looks after it: in `path`, or in a home of its own that goes with the test. */
export async function openTestStore(path?: string): Promise<OpenedStore> {
  const temporary = path === undefined ? createTemporaryHome() : null;
  const home = path ?? temporary?.path ?? '';
  const journal = await openJournal({ home, workerUrl: journalWorkerUrl() });
  return {
    home,
    journal,
    retention: createRetention(
      home,
      async () => journal,
      () => null,
    ),
    async [Symbol.asyncDispose]() {
      await journal.close();
      temporary?.[Symbol.dispose]();
    },
  };
}

export interface WriteRun {
  readonly runId?: RunId;
  readonly texts?: readonly string[];
  /** Null: it is left as a crash leaves it, with its lease given back. */
  readonly outcome?: RunOutcome | null;
  /** When everything of it happens. */
  readonly time?: number;
  readonly title?: string;
}

const met: RunOutcome = { kind: 'met', checked: true };

/** Writes a run and gives its lease back. */
export async function writeRun({ writer }: Journal, options: WriteRun = {}): Promise<RunId> {
  const { runId = newRunId(), texts = [], outcome = met, time = at, title = 'Fix the test' } = options;
  const start = sampleRunStart(title);
  const told = texts.map((text) => sampleObservation(text));
  const end: NewEvent[] = outcome === null ? [] : [toEvent({ type: 'run-finish', outcome, activeMs: 0 })];
  const events = [start.event, ...told.map(({ event }) => event), ...end].map((event) => ({ ...event, at: time }));
  const lease = await writer.createRun(runId, events, [...start.blobs, ...told.flatMap(({ blobs }) => blobs)]);
  await writer.releaseLease(lease);
  return runId;
}

/** A content that holds a secret: masked where it is read, sealed beside it. */
export function createSealedBlob(text: string, masked: string): NewBlob {
  const { ref } = createBlob(text, { origin: 'command' });
  const encode = (content: string) => new TextEncoder().encode(content);
  return { ref: { ...ref, sealed: true }, readable: encode(masked), original: encode(text) };
}

export const untilDone: AbortSignal = new AbortController().signal;

/** Another text for each seed, and hardly smaller when it is compressed. */
export function createNoise(bytes: number, seed: number): string {
  const pieces = Array.from({ length: Math.ceil(bytes / 88) }, (_, place) =>
    hash('sha512', `${seed} ${place}`, 'base64'),
  );
  return pieces.join('').slice(0, bytes);
}
