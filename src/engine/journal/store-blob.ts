// Blobs: each content once, compressed where that is smaller. Where the readable form is masked the original is sealed
// beside it, and a masked form replaces an unmasked one that was stored before the secret was known.
import { zstdCompressSync } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import type { NewBlob } from './journal.ts';
import { seal } from './seal.ts';

/** How the bytes of a blob are stored. */
export type Codec = 'raw' | 'zstd';

interface StoredBytes {
  readonly codec: Codec;
  readonly bytes: Uint8Array;
}

export interface BlobStore {
  /** Compresses what is not stored yet. Call it outside a transaction, so that no other process waits for the work. */
  prepare(blob: NewBlob): PreparedBlob;
  /** Stores the blob where it is missing; call it inside the transaction of the event that names it. */
  put(prepared: PreparedBlob): void;
  /** The row of the blob with this hash; undefined when there is none. */
  findKey(hash: string): number | undefined;
}

export interface PreparedBlob {
  readonly blob: NewBlob;
  readonly stored: StoredBytes | null;
}

export function createBlobStore(database: Database, loadKey: () => Uint8Array): BlobStore {
  const find = database.prepare<[Uint8Array], FoundBlob>(
    'select key, redacted, exists (select 1 from sealed where blob = key) as hasOriginal from blob where hash = ?',
  );
  const insert = database.prepare('insert into blob (hash, codec, bytes, size, redacted) values (?, ?, ?, ?, ?)');
  const replace = database.prepare('update blob set codec = ?, bytes = ?, redacted = ? where key = ?');
  const insertSealed = database.prepare('insert into sealed (blob, nonce, bytes) values (?, ?, ?)');

  const putSealed = (key: number | bigint, original: Uint8Array, hash: Uint8Array): void => {
    const sealed = seal(original, hash, loadKey());
    insertSealed.run(key, sealed.nonce, sealed.bytes);
  };

  return {
    prepare: (blob) => ({ blob, stored: find.get(toHashBytes(blob.ref.hash)) ? null : compress(blob.readable) }),
    put({ blob, stored }) {
      const hash = toHashBytes(blob.ref.hash);
      const existing = find.get(hash);
      if (existing && !givesWay(existing, blob)) return;
      const { codec, bytes } = stored ?? compress(blob.readable);
      const redacted = blob.ref.sealed ? 1 : 0;
      if (existing) replace.run(codec, bytes, redacted, existing.key);
      const key = existing?.key ?? insert.run(hash, codec, bytes, blob.ref.bytes, redacted).lastInsertRowid;
      if (blob.original) putSealed(key, blob.original, hash);
    },
    findKey: (hash) => find.get(toHashBytes(hash))?.key,
  };
}

interface FoundBlob {
  readonly key: number;
  readonly redacted: number;
  readonly hasOriginal: number;
}

/**
 * Whether what is stored is replaced: an unmasked form by a masked one. A masked form without its original came out of a
 * file, and nobody can tell by its hash whether it is right, so it gives way to whatever proves itself.
 */
function givesWay({ redacted, hasOriginal }: FoundBlob, { ref, original }: NewBlob): boolean {
  if (redacted === 0) return original !== undefined;
  return hasOriginal === 0 && (original !== undefined || ref.sealed === undefined);
}

/** The form in which a hash is stored: half the size of its hexadecimal text. */
export const toHashBytes = (hash: string): Uint8Array => Buffer.from(hash, 'hex');

// Below this a frame's own overhead eats what compression saves.
const minCompressBytes = 128;

function compress(bytes: Uint8Array): StoredBytes {
  if (bytes.length < minCompressBytes) return { codec: 'raw', bytes };
  const compressed = zstdCompressSync(bytes);
  return compressed.length < bytes.length ? { codec: 'zstd', bytes: compressed } : { codec: 'raw', bytes };
}
