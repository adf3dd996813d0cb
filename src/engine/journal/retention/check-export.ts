// Everything that must hold of an exported run before a word of it is believed: sizes, shapes, hashes, references, and that
// its events add up to a run. Reads it all once, in order, and keeps nothing but hashes.
import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import type { BlobRef } from '../../../shared/blob-ref.ts';
import type { JournalEvent } from '../../../shared/event.ts';
import { foldRun } from '../../../shared/fold-run.ts';
import { type BlobHash, RunId } from '../../../shared/id.ts';
import type { RunState } from '../../../shared/run-state.ts';
import { toBlobRefs } from '../to-blob-refs.ts';
import { assertGoingOn } from './assert-going-on.ts';
import { exportInvalid } from './export-format.ts';
import type { OpenedExport } from './open-export.ts';
import { parseExportedEvent } from './parse-exported-event.ts';
import { readExportedBlobs } from './read-exported-blobs.ts';

export interface CheckedExport {
  readonly runId: RunId;
  readonly title: string;
  readonly events: number;
  readonly blobs: number;
  readonly withoutOriginal: number;
}

export interface CheckExport {
  /** Opens the originals that went along; null: they are left out. */
  readonly key: Uint8Array | null;
  readonly signal: AbortSignal;
}

const maxEvents = 1_000_000;

const Header = z.strictObject({
  run: RunId,
  engine: z.string().max(100),
  exported_at: z.int().nonnegative(),
  events: z.int().positive().max(maxEvents),
  blobs: z.int().nonnegative(),
});

/** Throws `export-invalid`, and `store-newer` for events that this version does not know. */
export async function checkExport(opened: OpenedExport, { key, signal }: CheckExport): Promise<CheckedExport> {
  const header = readHeader(opened);
  const { state, named } = await checkEvents(opened, header.run, signal);
  if (state.seq !== header.events) throw exportInvalid(opened.file, `it holds ${state.seq} of ${header.events} events`);
  const counts = { blobs: 0, withoutOriginal: 0 };
  for (const { ref, original } of readExportedBlobs(opened, key)) {
    const size = named.get(ref.hash);
    if (size === undefined) throw exportInvalid(opened.file, `no event names its content ${ref.hash}`);
    if (size !== ref.bytes)
      throw exportInvalid(opened.file, `its content ${ref.hash} is not of the size events give it`);
    counts.blobs += 1;
    if (ref.sealed && original === undefined) counts.withoutOriginal += 1;
    if (counts.blobs % 16 === 0) await pause(signal);
  }
  if (counts.blobs !== named.size) throw exportInvalid(opened.file, 'contents that its events name are missing');
  return { runId: header.run, title: state.settings.title, events: header.events, ...counts };
}

function readHeader({ database, file }: OpenedExport): z.infer<typeof Header> {
  const rows = database.prepare('select run, engine, exported_at, events, blobs from header limit 2').all();
  const parsed = Header.safeParse(rows[0]);
  if (rows.length === 1 && parsed.success) return parsed.data;
  throw exportInvalid(file, 'its header is not one line of what belongs there');
}

async function checkEvents(opened: OpenedExport, runId: RunId, signal: AbortSignal) {
  const named = new Map<BlobHash, number>();
  let state: RunState | null = null;
  for (const event of readExportedEvents(opened, runId)) {
    for (const ref of toBlobRefs(event)) nameBlob(opened.file, named, ref);
    state = fold(opened.file, state, event);
    if (event.seq % 500 === 0) await pause(signal);
  }
  if (state === null) throw exportInvalid(opened.file, 'it has no events');
  return { state, named };
}

/** The events in order. Throws at the first that is not what it should be. */
export function* readExportedEvents({ database, file }: OpenedExport, runId: RunId): Generator<JournalEvent> {
  const page = database.prepare<[number], { seq: number; body: string | null; bytes: number }>(
    `select seq, octet_length(body) as bytes, case when octet_length(body) <= ${maxBodyBytes} then body end as body
     from event where seq > ? order by seq limit 1`,
  );
  for (let seq = 0; ; seq++) {
    const row = page.get(seq);
    if (row === undefined) return;
    if (row.seq !== seq + 1) throw exportInvalid(file, `after event ${seq} comes event ${row.seq}`);
    if (row.seq > maxEvents) throw exportInvalid(file, `it has more than ${maxEvents} events`);
    if (row.body === null) throw exportInvalid(file, `event ${row.seq} is ${row.bytes} bytes long`);
    yield parseExportedEvent(row.body, { runId, seq: row.seq, file });
  }
}

/** Texts of any length are contents; what an event itself holds is short. */
const maxBodyBytes = 4 * 2 ** 20;

function nameBlob(file: string, named: Map<BlobHash, number>, { hash, bytes }: BlobRef): void {
  const before = named.get(hash);
  if (before !== undefined && before !== bytes) throw exportInvalid(file, `its events give ${hash} two sizes`);
  named.set(hash, bytes);
}

function fold(file: string, state: RunState | null, event: JournalEvent): RunState | null {
  try {
    return foldRun(state, [event]);
  } catch (error) {
    throw exportInvalid(
      file,
      `its events do not add up to a run: ${error instanceof Error ? error.message : ''}`,
      error,
    );
  }
}

async function pause(signal: AbortSignal): Promise<void> {
  await turn();
  assertGoingOn(signal);
}
