// Writes one run to a file. Contents that hold a secret go in their masked form; their originals stay here, unless they are
// asked for, and then go under a key made for this file: the key of the home is never given away.
import { randomBytes } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { engineVersion } from '../../../shared/engine-version.ts';
import type { RunId } from '../../../shared/id.ts';
import { seal, unseal } from '../seal.ts';
import { createSealKeyError, readSealKey } from '../seal-key.ts';
import { toDatabaseFile, toSealKeyFile } from '../store-file.ts';
import { checkExport } from './check-export.ts';
import { exportApplicationId, exportFormat, exportSchema } from './export-format.ts';
import { unknownRun } from './hide-run.ts';
import { openExport } from './open-export.ts';
import { publishCopy } from './publish-copy.ts';
import type { ExportReport } from './store-report.ts';
import { withSnapshot } from './with-database.ts';

export interface ExportRun {
  readonly home: string;
  readonly runId: RunId;
  readonly file: string;
  /** Where the key of the originals is written; null: they stay here. */
  readonly keyFile: string | null;
}

/** What is written is read again by the code that imports before it gets its name. Throws `run-unknown`, `file-exists`. */
export async function exportRun({ home, runId, file, keyFile }: ExportRun): Promise<ExportReport> {
  const key = keyFile === null ? null : randomBytes(32);
  const write = () =>
    publishCopy(file, async (draft) => {
      const counts = await withSnapshot(toDatabaseFile(home), async (source) =>
        writeExport(source, draft, { runId, homeKeyFile: toSealKeyFile(home), key }),
      );
      using written = openExport(draft);
      await checkExport(written, { key, signal: neverAborted });
      return counts;
    });
  if (keyFile === null || key === null) return { runId, file, ...(await write()), bytes: statSync(file).size, keyFile };
  const counts = await publishCopy(keyFile, async (draft) => {
    writeFileSync(draft, key);
    return await write();
  });
  return { runId, file, ...counts, bytes: statSync(file).size, keyFile };
}

const neverAborted = new AbortController().signal;

interface WriteExport {
  readonly runId: RunId;
  readonly homeKeyFile: string;
  readonly key: Uint8Array | null;
}

function writeExport(source: Database, draft: string, { runId, homeKeyFile, key }: WriteExport) {
  const run = source.prepare<[string], number>('select key from run where id = ?').pluck().get(runId);
  if (run === undefined) throw unknownRun(runId);
  const target = new SqliteDatabase(draft);
  try {
    target.pragma(`application_id = ${exportApplicationId}`);
    target.pragma(`user_version = ${exportFormat}`);
    const fill = target.transaction(() => {
      target.exec(exportSchema);
      const events = copyEvents(source, target, run);
      const { blobs, masked } = copyBlobs(source, target, run);
      const sealed = key === null ? 0 : copySealed(source, target, { run, homeKeyFile, key });
      target
        .prepare('insert into header (run, engine, exported_at, events, blobs) values (?, ?, ?, ?, ?)')
        .run(runId, engineVersion, Date.now(), events, blobs);
      return { events, blobs, leftOut: masked - sealed };
    });
    return fill();
  } finally {
    target.close();
  }
}

function copyEvents(source: Database, target: Database, run: number): number {
  const events = source.prepare<[number], { seq: number; body: string }>(
    'select seq, body from event where run = ? order by seq',
  );
  const insert = target.prepare('insert into event (seq, body) values (@seq, @body)');
  let count = 0;
  for (const event of events.iterate(run)) {
    insert.run(event);
    count += 1;
  }
  return count;
}

const ofRun = `exists (select 1 from event_blob join event using (position)
  where event_blob.blob = blob.key and event.run = ?)`;

function copyBlobs(source: Database, target: Database, run: number): { blobs: number; masked: number } {
  const blobs = source.prepare<[number], { redacted: number }>(
    `select hash, codec, bytes, size, redacted from blob where ${ofRun} order by hash`,
  );
  const insert = target.prepare(
    'insert into blob (hash, codec, bytes, size, redacted) values (@hash, @codec, @bytes, @size, @redacted)',
  );
  const count = { blobs: 0, masked: 0 };
  for (const blob of blobs.iterate(run)) {
    insert.run(blob);
    count.blobs += 1;
    count.masked += blob.redacted;
  }
  return count;
}

interface CopySealed {
  readonly run: number;
  readonly homeKeyFile: string;
  readonly key: Uint8Array;
}

function copySealed(source: Database, target: Database, { run, homeKeyFile, key }: CopySealed): number {
  const rows = source.prepare<[number], { hash: Buffer; nonce: Buffer; bytes: Buffer }>(
    `select hash, nonce, sealed.bytes from sealed join blob on blob.key = sealed.blob where ${ofRun} order by hash`,
  );
  const insert = target.prepare('insert into sealed (hash, nonce, bytes) values (?, ?, ?)');
  let homeKey: Uint8Array | undefined;
  let count = 0;
  for (const { hash, ...sealed } of rows.iterate(run)) {
    homeKey ??= readSealKey(homeKeyFile);
    const again = seal(open(sealed, hash, homeKey, homeKeyFile), hash, key);
    insert.run(hash, again.nonce, again.bytes);
    count += 1;
  }
  return count;
}

function open(
  sealed: { readonly nonce: Buffer; readonly bytes: Buffer },
  hash: Buffer,
  key: Uint8Array,
  keyFile: string,
): Uint8Array {
  try {
    return unseal(sealed, hash, key);
  } catch (cause) {
    throw createSealKeyError(keyFile, 'is not the one the originals were sealed with', cause);
  }
}
