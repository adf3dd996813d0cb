// Looks for values in everything a home holds: each file byte by byte, write-ahead log included, and each stored content
// after it was decompressed.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import SqliteDatabase from 'better-sqlite3';

interface BlobRow {
  readonly codec: string;
  readonly bytes: Buffer;
}

/** Where each of these values can be read, as `place: value`; empty when none of them can. */
export function scanHome(home: string, values: readonly string[]): string[] {
  const places = [...readFiles(home), ...readBlobs(join(home, 'journal.db'))];
  return places.flatMap(([place, bytes]) =>
    values.filter((value) => bytes.includes(value)).map((value) => `${place}: ${value}`),
  );
}

function readFiles(home: string): [place: string, bytes: Buffer][] {
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(home, name)).isFile());
  return files.map((name) => [name, readFileSync(join(home, name))]);
}

function readBlobs(file: string): [place: string, bytes: Buffer][] {
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    const rows = database.prepare<[], BlobRow>('select codec, bytes from blob').all();
    return rows.map(({ codec, bytes }, place) => [
      `blob ${place}`,
      codec === 'zstd' ? zstdDecompressSync(bytes) : bytes,
    ]);
  } finally {
    database.close();
  }
}
