// Reading contents back: the readable form for everybody, the original where a masked one is needed whole. What is not the
// content that its name says, because it was damaged or changed by hand, is never handed out.
import { zstdDecompressSync } from 'node:zlib';
import { EngineError } from '../../shared/engine-error.ts';
import type { BlobHash } from '../../shared/id.ts';
import { hashBytes } from './create-blob.ts';
import type { BlobRow, ReadQueries } from './read-queries.ts';
import { unseal } from './seal.ts';
import { createSealKeyError, readSealKey } from './seal-key.ts';
import { toHashBytes } from './store-blob.ts';

/** The readable bytes of a blob. Throws `blob-missing`, or `store-damaged`; of a masked form nobody can tell. */
export function readBlob(queries: ReadQueries, hash: BlobHash): Uint8Array {
  const row = findBlob(queries, hash);
  return row.redacted === 0 ? readWhole(row, hash) : decompress(row, hash);
}

/** The bytes of those that nothing of is masked, each read once; of the others nothing is said. Throws `store-damaged`. */
export function readContents(queries: ReadQueries, hashes: readonly BlobHash[]): Map<BlobHash, Uint8Array> {
  const rows = queries.contents.all(JSON.stringify([...new Set(hashes)]));
  return new Map(rows.map((row) => [row.hash, readWhole(row, row.hash)]));
}

/** The original bytes of a blob. Throws `blob-missing`, or `store-damaged`, also when the key does not open it. */
export function readOriginal(queries: ReadQueries, hash: BlobHash, keyFile: string): Uint8Array {
  const row = findBlob(queries, hash);
  if (row.redacted === 0) return readWhole(row, hash);
  const sealed = queries.sealed.get(toHashBytes(hash));
  if (sealed === undefined) throw createMaskedError(hash);
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

function readWhole(row: BlobRow, hash: BlobHash): Uint8Array {
  const bytes = decompress(row, hash);
  if (hashBytes(bytes) !== hash) throw createChangedError(hash);
  return bytes;
}

function decompress({ codec, bytes }: BlobRow, hash: BlobHash): Uint8Array {
  try {
    return codec === 'zstd' ? zstdDecompressSync(bytes) : bytes;
  } catch (cause) {
    throw createChangedError(hash, cause);
  }
}

function createChangedError(hash: BlobHash, cause?: unknown): EngineError {
  const message = `The journal's content ${hash} is not what was recorded: it was damaged, or changed by hand.`;
  return new EngineError('store-damaged', message, {
    remedy: 'Restore the journal from a backup; "io-studio store verify" says what else is damaged.',
    cause,
  });
}

function createMaskedError(hash: BlobHash): EngineError {
  return new EngineError(
    'blob-missing',
    `The journal holds content ${hash} with its secrets masked, and not the original.`,
    {
      remedy:
        'Export the run again with --sealed where it was made, and import it with that key, where the original is needed.',
    },
  );
}

function createMissingError(hash: BlobHash): EngineError {
  return new EngineError('blob-missing', `The journal holds no content ${hash}.`, {
    remedy: 'It may have been pruned, or belong to the journal of another home.',
  });
}
