// The contents: each inflates to its size and has the hash it is kept under; each sealed original opens. A masked form has
// the hash of its original, so it is the original that is tested.
import { existsSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { hashBytes } from '../create-blob.ts';
import { unseal } from '../seal.ts';
import { readSealKey } from '../seal-key.ts';
import type { AddFault } from './fault-list.ts';
import { inflate, type StoredContent } from './inflate.ts';

export interface VerifyBlobs {
  readonly database: Database;
  readonly keyFile: string;
  /** Null: those of all runs. */
  readonly run: number | null;
  readonly signal: AbortSignal;
}

interface BlobRow extends StoredContent {
  readonly key: number;
  readonly hash: Buffer;
  readonly nonce: Buffer | null;
  readonly sealed: Buffer | null;
}

export async function verifyBlobs(
  { database, keyFile, run, signal }: VerifyBlobs,
  addFault: AddFault,
): Promise<{ blobs: number; withoutOriginal: number }> {
  const next = database.prepare<[number, number | null, number | null], BlobRow>(
    `select key, hash, codec, blob.bytes, size, redacted, nonce, sealed.bytes as sealed
     from blob left join sealed on sealed.blob = key
     where key > ? and (? is null or exists (
       select 1 from event_blob join event using (position) where event_blob.blob = key and event.run = ?
     )) order by key limit 1`,
  );
  const key = existsSync(keyFile) ? readSealKey(keyFile) : null;
  const counts = { blobs: 0, withoutOriginal: 0 };
  for (let row = next.get(0, run, run); row !== undefined && !signal.aborted; row = next.get(row.key, run, run)) {
    counts.blobs += 1;
    if (row.redacted === 1 && row.sealed === null) counts.withoutOriginal += 1;
    const name = row.hash.toString('hex');
    const fault = findContentFault(row, name);
    const remedy = 'Restore the store from a backup; runs that do not name it are not touched by it.';
    if (fault !== null) addFault({ kind: 'blob', runId: null, what: `content ${name} ${fault}`, remedy });
    const sealFault = findSealFault(row, name, key, keyFile);
    if (sealFault !== null) addFault({ kind: 'original', runId: null, ...sealFault });
    if (counts.blobs % 64 === 0) await turn();
  }
  return counts;
}

function findContentFault(row: BlobRow, name: string): string | null {
  const inflated = inflate(row);
  if (inflated.kind === 'fault') return inflated.what;
  return row.redacted === 1 || hashBytes(inflated.bytes) === name ? null : 'is not what it was when it was stored';
}

function findSealFault(
  { nonce, sealed, hash, size }: BlobRow,
  name: string,
  key: Uint8Array | null,
  keyFile: string,
): { readonly what: string; readonly remedy: string } | null {
  if (nonce === null || sealed === null) return null;
  const what = `the original of ${name}`;
  const remedy = `Restore ${keyFile} from a backup; everything else stays readable without it.`;
  if (key === null) return { what: `${what} cannot be opened: there is no key`, remedy };
  try {
    const original = unseal({ nonce, bytes: sealed }, hash, key);
    if (original.length === size && hashBytes(original) === name) return null;
    return { what: `${what} is not what it was when it was sealed`, remedy: 'Restore the store from a backup.' };
  } catch {
    return { what: `${what} is not opened by the key, or was altered`, remedy };
  }
}
