// Deleting, a little at a time: each call stays small enough that whoever appends meanwhile hardly notices. A content goes
// together with the last event that names it; one that is named anew at the same time is protected by the foreign key,
// because naming and deleting are transactions of one writer after the other.
import type { Database } from 'better-sqlite3';
import type { Deleted } from './store-keeper.ts';

const maxEvents = 256;
const maxBytes = 4 * 2 ** 20;

/** Deletes some events of a hidden run, and the run itself once none is left. */
export function deleteSome(database: Database, run: number): Deleted {
  const positions = database
    .prepare<[number, number], number>('select position from event where run = ? order by seq desc limit ?')
    .pluck()
    .all(run, maxEvents);
  const deleteEvent = createEventDeletion(database);
  const deleted = { events: 0, blobs: 0, bytes: 0 };
  for (const position of positions) {
    const { blobs, bytes } = deleteEvent(position);
    deleted.events += 1;
    deleted.blobs += blobs;
    deleted.bytes += bytes;
    if (deleted.bytes >= maxBytes) break;
  }
  if (positions.length > 0) return { ...deleted, isDone: false };
  for (const table of ['lease', 'person_key']) database.prepare(`delete from ${table} where run = ?`).run(run);
  database.prepare('delete from run where key = ?').run(run);
  return { ...deleted, isDone: true };
}

/** Deletes contents that no event names among the next few thousand after `afterKey`. */
export function deleteUnnamed(
  database: Database,
  afterKey: number,
): { readonly deleted: Deleted; readonly lastKey: number | null } {
  const keys = database
    .prepare<[number, number], number>('select key from blob where key > ? order by key limit ?')
    .pluck()
    .all(afterKey, keysAtOnce);
  const deleteBlob = createBlobDeletion(database);
  const bytes = keys.flatMap((key) => deleteBlob(key));
  const lastKey = keys.at(-1) ?? null;
  const total = bytes.reduce((sum, each) => sum + each, 0);
  return { deleted: { events: 0, blobs: bytes.length, bytes: total, isDone: lastKey === null }, lastKey };
}

const keysAtOnce = 2000;

/** Returns how many bytes went with the event, and how many contents. */
function createEventDeletion(
  database: Database,
): (position: number) => { readonly blobs: number; readonly bytes: number } {
  const named = database.prepare<[number], number>('select blob from event_blob where position = ?').pluck();
  const deleteBlob = createBlobDeletion(database);
  const ofEvent = ['event_blob', 'trace_row', 'act', 'person_key'].map((table) =>
    database.prepare<[number]>(`delete from ${table} where position = ?`),
  );
  const deleteEvent = database
    .prepare<[number], number>('delete from event where position = ? returning octet_length(body)')
    .pluck();
  return (position) => {
    const blobs = named.all(position);
    for (const statement of ofEvent) statement.run(position);
    const bodies = deleteEvent.all(position);
    const contents = blobs.flatMap((blob) => deleteBlob(blob));
    return { blobs: contents.length, bytes: [...bodies, ...contents].reduce((sum, bytes) => sum + bytes, 0) };
  };
}

/** Returns the stored size, or nothing for a content that something names. */
function createBlobDeletion(database: Database): (blob: number) => number[] {
  const isNamed = database.prepare<[number], number>('select 1 from event_blob where blob = ? limit 1').pluck();
  const deleteSealed = database
    .prepare<[number], number>('delete from sealed where blob = ? returning length(bytes)')
    .pluck();
  const deleteBlob = database
    .prepare<[number], number>('delete from blob where key = ? returning length(bytes)')
    .pluck();
  return (blob) => {
    if (isNamed.get(blob) !== undefined) return [];
    return [[...deleteSealed.all(blob), ...deleteBlob.all(blob)].reduce((sum, bytes) => sum + bytes, 0)];
  };
}
