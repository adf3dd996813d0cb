// Takes an exported run into the journal: all of it is checked before anything is written, and it comes into sight whole or
// not at all. From then on it can be read; whoever wants to go on with it has to adopt it.
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { JournalEvent } from '../../../shared/event.ts';
import { BlobHash, type RunId } from '../../../shared/id.ts';
import type { NewBlob } from '../new-blob.ts';
import { toBlobRefs } from '../to-blob-refs.ts';
import { assertGoingOn } from './assert-going-on.ts';
import { checkExport, readExportedEvents } from './check-export.ts';
import { exportInvalid } from './export-format.ts';
import { copyExport } from './import-copy.ts';
import { type OpenedExport, openExport } from './open-export.ts';
import { deleteRun } from './prune-store.ts';
import { createBlobFinder } from './read-exported-blobs.ts';
import type { StoreKeeper } from './store-keeper.ts';
import type { ImportReport } from './store-report.ts';

export interface ImportRun {
  readonly home: string;
  readonly file: string;
  /** The key of the originals that went along; null: they are left out. */
  readonly keyFile: string | null;
  readonly keeper: StoreKeeper;
  readonly signal: AbortSignal;
}

/** Throws `export-invalid`, `run-exists`, `store-newer`; nothing is left of it then. */
export async function importRun({ home, file, keyFile, keeper, signal }: ImportRun): Promise<ImportReport> {
  const key = keyFile === null ? null : readExportKey(keyFile);
  using copy = copyExport(file, home);
  const source = { file: basename(file), digest: await digest(copy.path) };
  using opened = openExport(copy.path, file);
  copy.hide();
  const checked = await checkExport(opened, { key, signal });
  const { runId } = checked;
  const run = await keeper.beginImport(runId);
  try {
    await write(opened, runId, { run, key, keeper, signal });
    await keeper.finishImport(run, runId, source);
  } catch (error) {
    await deleteRun(keeper, run, new AbortController().signal, () => undefined);
    throw error;
  }
  return checked;
}

interface WriteImport {
  readonly run: number;
  readonly key: Uint8Array | null;
  readonly keeper: StoreKeeper;
  readonly signal: AbortSignal;
}

const batchBytes = 4 * 2 ** 20;
const batchEvents = 500;

/** Events go with the contents that they name first: what nothing names may be pruned at any moment. */
async function write(opened: OpenedExport, runId: RunId, { run, key, keeper, signal }: WriteImport): Promise<void> {
  const findBlob = createBlobFinder(opened, key);
  const sent = new Set<BlobHash>();
  let batch: Batch = { events: [], blobs: [], bytes: 0 };
  for (const event of readExportedEvents(opened, runId)) {
    batch.events.push(event);
    for (const { hash } of toBlobRefs(event)) {
      if (sent.has(hash)) continue;
      sent.add(hash);
      const blob = findBlob(hash);
      batch.blobs.push(blob);
      batch.bytes += blob.readable.length + (blob.original?.length ?? 0);
    }
    if (batch.events.length < batchEvents && batch.bytes < batchBytes) continue;
    assertGoingOn(signal);
    await keeper.addImported(run, batch.events, batch.blobs);
    batch = { events: [], blobs: [], bytes: 0 };
  }
  await keeper.addImported(run, batch.events, batch.blobs);
}

interface Batch {
  readonly events: JournalEvent[];
  readonly blobs: NewBlob[];
  bytes: number;
}

function readExportKey(keyFile: string): Uint8Array {
  try {
    const key = readFileSync(keyFile);
    if (key.length === 32) return key;
    throw exportInvalid(keyFile, `a key has 32 bytes, this file ${key.length}`);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw exportInvalid(keyFile, 'there is no such key file', error);
    }
    throw error;
  }
}

async function digest(file: string): Promise<BlobHash> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return BlobHash.parse(hash.digest('hex'));
}
