// Reading contents back: the readable form for everybody, the original where a masked one is needed whole.
import { zstdDecompressSync } from 'node:zlib';
import { EngineError } from '../../shared/engine-error.ts';
import type { BlobHash } from '../../shared/id.ts';
import type { BlobRow, ReadQueries } from './read-queries.ts';
import { unseal } from './seal.ts';
import { createSealKeyError, readSealKey } from './seal-key.ts';
import { toHashBytes } from './store-blob.ts';

/** The readable bytes of a blob. Throws `blob-missing`. */
export function readBlob(queries: ReadQueries, hash: BlobHash): Uint8Array {
  return decompress(findBlob(queries, hash));
}

/** The original bytes of a blob. Throws `blob-missing`, or `store-damaged` when the key does not open it. */
export function readOriginal(queries: ReadQueries, hash: BlobHash, keyFile: string): Uint8Array {
  const row = findBlob(queries, hash);
  if (row.redacted === 0) return decompress(row);
  const sealed = queries.sealed.get(toHashBytes(hash));
  if (sealed === undefined) throw createMissingError(hash);
  const key = readSealKey(keyFile);
  try {
    return unseal(sealed, toHashBytes(hash), key);
  } catch (cause) {
    throw createSealKeyError(keyFile, 'is not the one the originals were sealed with', cause);
  }
}

function findBlob(queries: ReadQueries, hash: BlobHash): BlobRow {
  const row = queries.blob.get(toHashBytes(hash));
  if (row === undefined) throw createMissingError(hash);
  return row;
}

function decompress({ codec, bytes }: BlobRow): Uint8Array {
  return codec === 'zstd' ? zstdDecompressSync(bytes) : bytes;
}

function createMissingError(hash: BlobHash): EngineError {
  return new EngineError('blob-missing', `The journal holds no content ${hash}.`, {
    remedy: 'It may have been pruned, or belong to the journal of another home.',
  });
}
