// The contents of an exported run, one at a time, each proved by its hash. What is masked proves itself only by its
// original; without one it is taken for what it is, a masked form that nobody can test.
import { BlobHash } from '../../../shared/id.ts';
import { hashBytes } from '../create-blob.ts';
import type { NewBlob } from '../new-blob.ts';
import { unseal } from '../seal.ts';
import { exportInvalid } from './export-format.ts';
import { inflate, maxContentBytes, type StoredContent } from './inflate.ts';
import type { OpenedExport } from './open-export.ts';

interface BlobRow extends StoredContent {
  readonly hash: Buffer;
  readonly nonce: Buffer | null;
  readonly sealed: Buffer | null;
}

/** However well it packs, a file does not come to more than so many times its size, with room for small ones. */
const maxInflation = 400;
const freeInflatedBytes = 256 * 2 ** 20;

const select = `
  select blob.hash, codec, blob.bytes, size, redacted, nonce, sealed.bytes as sealed
  from blob left join sealed on sealed.hash = blob.hash`;

/** Throws `export-invalid`. The origin of what it yields says nothing: events have their own. */
export function* readExportedBlobs(
  { database, file, bytes }: OpenedExport,
  key: Uint8Array | null,
): Generator<NewBlob> {
  const next = database.prepare<[Buffer], BlobRow>(`${select} where blob.hash > ? order by blob.hash limit 1`);
  const budget = freeInflatedBytes + maxInflation * bytes;
  let inflated = 0;
  for (let row = next.get(Buffer.alloc(0)); row !== undefined; row = next.get(row.hash)) {
    assertSize(row, file);
    inflated += Math.max(row.size, row.bytes.length);
    if (inflated > budget) throw exportInvalid(file, `its ${bytes} bytes would become more than ${budget}`);
    yield toBlob(row, file, key);
  }
}

/** Finds one by its hash. Throws `export-invalid` when it is not there. */
export function createBlobFinder(
  { database, file }: OpenedExport,
  key: Uint8Array | null,
): (hash: BlobHash) => NewBlob {
  const find = database.prepare<[Buffer], BlobRow>(`${select} where blob.hash = ?`);
  return (hash) => {
    const row = find.get(Buffer.from(hash, 'hex'));
    if (row === undefined) throw exportInvalid(file, `content ${hash} is missing`);
    return toBlob(row, file, key);
  };
}

function assertSize({ hash, size }: BlobRow, file: string): void {
  if (size < 0 || size > maxContentBytes) {
    throw exportInvalid(file, `content ${hash.toString('hex')} says that it is ${size} bytes long`);
  }
}

function toBlob(row: BlobRow, file: string, key: Uint8Array | null): NewBlob {
  assertSize(row, file);
  const hash = BlobHash.safeParse(row.hash.toString('hex'));
  if (!hash.success) throw exportInvalid(file, 'a content is not kept under a hash');
  const fail = (what: string) => exportInvalid(file, `content ${hash.data} ${what}`);
  const { size, redacted } = row;
  if (redacted !== 0 && redacted !== 1) throw fail('is neither masked nor not');
  const content = inflate(row);
  if (content.kind === 'fault') throw fail(content.what);
  const ref = { hash: hash.data, bytes: size, origin: 'engine' } as const;
  if (redacted === 1)
    return { ref: { ...ref, sealed: true }, readable: content.bytes, ...readOriginal(row, key, fail) };
  if (hashBytes(content.bytes) !== hash.data) throw fail('has another hash');
  return { ref, readable: content.bytes };
}

function readOriginal(
  { nonce, sealed, hash, size }: BlobRow,
  key: Uint8Array | null,
  fail: (what: string) => Error,
): Pick<NewBlob, 'original'> {
  if (key === null || nonce === null || sealed === null) return {};
  const original = open({ nonce, bytes: sealed }, hash, key);
  if (original === null) throw fail('has an original that this key does not open');
  if (original.length !== size || hashBytes(original) !== hash.toString('hex')) throw fail('has another original');
  return { original };
}

function open(sealed: { readonly nonce: Buffer; readonly bytes: Buffer }, hash: Buffer, key: Uint8Array) {
  try {
    return unseal(sealed, hash, key);
  } catch {
    return null;
  }
}
