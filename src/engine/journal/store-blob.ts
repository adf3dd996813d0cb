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
  const find = database.prepare<[Uint8Array], { key: number; redacted: number }>(
    'select key, redacted from blob where hash = ?',
  );
  const insert = database.prepare('insert into blob (hash, codec, bytes, size, redacted) values (?, ?, ?, ?, ?)');
  const mask = database.prepare('update blob set codec = ?, bytes = ?, redacted = 1 where key = ?');
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
      if (existing && (existing.redacted === 1 || blob.original === undefined)) return;
      const { codec, bytes } = stored ?? compress(blob.readable);
      if (existing) mask.run(codec, bytes, existing.key);
      const key =
        existing?.key ?? insert.run(hash, codec, bytes, blob.ref.bytes, blob.original ? 1 : 0).lastInsertRowid;
      if (blob.original) putSealed(key, blob.original, hash);
    },
    findKey: (hash) => find.get(toHashBytes(hash))?.key,
  };
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
