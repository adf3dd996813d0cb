// What entitles to decide: a key in the engine's home that no sandbox, tool or child is ever handed. Whoever can read the
// file may decide, so a key that others can read, or that somebody else put there, is refused and never repaired unseen.
import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../shared/engine-error.ts';
import { publishFile } from '../journal/publish-file.ts';
import { type Statement, toStatementText } from './decision-statement.ts';

const keyBytes = 32;

export interface DecisionCredential {
  /** The proof that goes with a decision: 64 hexadecimal digits. */
  sign(statement: Statement): string;
  /** Whether `proof` was made with this credential over just this statement. */
  verify(statement: Statement, proof: string): boolean;
}

/** The credential of this home, made on first use. Throws `decision-refused` when there is one that cannot be trusted. */
export function openCredential(home: string): DecisionCredential {
  const file = join(home, 'decision-key');
  const key = createSecretKey(readKey(file) ?? createKey(home, file));
  return {
    sign: (statement) => toProof(key, statement).toString('hex'),
    verify(statement, proof) {
      const given = Buffer.from(proof, 'hex');
      const expected = toProof(key, statement);
      // The length of the text too: decoding stops quietly at the first character that is no digit.
      return (
        proof.length === expected.length * 2 && given.length === expected.length && timingSafeEqual(given, expected)
      );
    },
  };
}

function toProof(key: KeyObject, statement: Statement): Buffer {
  return createHmac('sha256', key).update(toStatementText(statement)).digest();
}

/** Null when there is no such file. */
function readKey(file: string): Buffer | null {
  const descriptor = openKey(file);
  if (descriptor === null) return null;
  try {
    assertTrusted(file, fstatSync(descriptor));
    const key = Buffer.alloc(keyBytes);
    if (readSync(descriptor, key, 0, keyBytes, 0) !== keyBytes) throw refuse(file, 'could not be read to its end');
    return key;
  } finally {
    closeSync(descriptor);
  }
}

/** Follows no link and does not wait for a pipe. */
function openKey(file: string): number | null {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null;
    throw refuse(file, 'cannot be read', cause);
  }
}

function assertTrusted(file: string, stats: Stats): void {
  if (!stats.isFile()) throw refuse(file, 'is not a regular file');
  if (stats.size !== keyBytes) throw refuse(file, `has ${stats.size} bytes, not ${keyBytes}`);
  // Where there is no such number (Windows), the home's own access list has to do.
  const person = process.geteuid?.();
  if (person === undefined) return;
  if (stats.uid !== person) throw refuse(file, 'belongs to somebody else');
  if ((stats.mode & 0o077) !== 0) throw refuse(file, 'can be reached by others');
}

/** Written under another name first, so that a maker that is killed leaves no half; of several the first one's stands. */
function createKey(home: string, file: string): Buffer {
  const draft = `${file}.${randomUUID()}.new`;
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(draft, randomBytes(keyBytes), { mode: 0o600, flag: 'wx' });
    publishFile(draft, file);
  } catch (cause) {
    throw refuse(file, 'cannot be made', cause);
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKey(file);
  if (key === null) throw refuse(file, 'is gone again');
  return key;
}

function refuse(file: string, what: string, cause?: unknown): EngineError {
  return new EngineError('decision-refused', `Nobody can decide from here: the key ${file} ${what}.`, {
    remedy: `See to it that ${file} is your own file and nobody else can reach it (chmod 600). Once it is removed another one is made, and answers that were not acted on yet no longer count.`,
    cause,
  });
}
