// The key that seals originals: 32 random bytes in a file only its owner reads, made once. Only reading an original needs
// it, so a lost key costs the masked originals and nothing else.
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { EngineError } from '../../shared/engine-error.ts';
import { publishFile } from './publish-file.ts';

const keyBytes = 32;

/** Reads the key, or makes it when there is none. Of several processes that make one at once, the first one's stands. */
export function ensureSealKey(file: string): Uint8Array {
  if (!existsSync(file)) createSealKey(file);
  return readSealKey(file);
}

/** Reads the key; throws `store-damaged` when it is lost or has the wrong size. */
export function readSealKey(file: string): Uint8Array {
  let key: Uint8Array;
  try {
    key = readFileSync(file);
  } catch (cause) {
    throw createSealKeyError(file, 'cannot be read', cause);
  }
  if (key.length !== keyBytes) throw createSealKeyError(file, `has ${key.length} bytes, not ${keyBytes}`);
  return key;
}

/** The error for an original that this key does not open. */
export function createSealKeyError(file: string, what: string, cause?: unknown): EngineError {
  return new EngineError('store-damaged', `The key ${file} ${what}, so masked originals cannot be opened.`, {
    remedy: 'Restore the key file from a backup. Everything else in the journal stays readable without it.',
    cause,
  });
}

function createSealKey(file: string): void {
  const draft = `${file}.${randomUUID()}.new`;
  try {
    writeFileSync(draft, randomBytes(keyBytes), { mode: 0o600, flag: 'wx' });
    publishFile(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}
