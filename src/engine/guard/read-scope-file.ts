// One policy file, read through held directories without following a link, so that it is the file at that very path: a link
// would let somebody else say what a person's own rules are.
import { type BigIntStats, closeSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../shared/engine-error.ts';
import type { PolicyScope } from '../policy/compose-policy.ts';
import { openHeldDirectory } from '../sandbox/held-directory.ts';
import { toErrorCode } from '../sandbox/to-error-code.ts';
import { readFlags } from '../sandbox/with-descriptor.ts';
import type { Place } from './place.ts';
import { walkPath } from './walk-path.ts';

export interface ScopeFile {
  readonly origin: PolicyScope['origin'];
  /** Links up to here are followed, none below. */
  readonly directory: string;
  readonly parts: readonly string[];
  /** It must belong to this user, and nobody else may be able to write it. */
  readonly isPrivate: boolean;
}

const maxBytes = 1024 * 1024;

/** Its text; null where it is not there. Throws `policy-invalid` where it is, and cannot be read or trusted. */
export function readScopeFile(file: ScopeFile): string | null {
  const place = findPlace(file);
  if (place === null) return null;
  try {
    if (place.kind === 'missing') return null;
    if (place.kind === 'outside') throw refuse(file, place.reason);
    if (place.parts.join('/') !== file.parts.join('/')) throw refuse(file, 'a link leads to it');
    if (!place.stats.isFile()) throw refuse(file, 'it is not a regular file');
    return decode(file, readPlace(file, place));
  } finally {
    place.close();
  }
}

function findPlace(file: ScopeFile): Place | null {
  try {
    const path = realpathSync(file.directory);
    const directory = openHeldDirectory(path);
    const place = walkPath({ root: { path, directory }, workspace: directory, home: null }, file.parts);
    directory.close();
    return place;
  } catch (error) {
    if (toErrorCode(error) === 'ENOENT') return null;
    throw refuse(file, toErrorCode(error), error);
  }
}

function readPlace(file: ScopeFile, { directory, name }: Extract<Place, { kind: 'found' }>): Buffer {
  let descriptor: number;
  try {
    descriptor = openSync(directory.at(name), readFlags);
  } catch (error) {
    throw refuse(file, toErrorCode(error), error);
  }
  try {
    const stats = fstatSync(descriptor, { bigint: true });
    const distrust = file.isPrivate ? findDistrust(stats) : null;
    if (distrust !== null) throw refuse(file, distrust);
    const buffer = Buffer.alloc(Math.min(Number(stats.size), maxBytes) + 1);
    const length = readSync(descriptor, buffer);
    if (length === buffer.length) throw refuse(file, `it has more than ${maxBytes} bytes, or is being written`);
    return buffer.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

const writableByOthers = 0o022n;

/** Windows has neither; there the home's own permissions have to do. */
function findDistrust({ uid, mode }: BigIntStats): string | null {
  const own = process.getuid?.();
  if (own === undefined) return null;
  if (uid !== BigInt(own)) return 'it belongs to another user';
  return (mode & writableByOthers) === 0n ? null : 'other users may write it';
}

function decode(file: ScopeFile, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw refuse(file, 'it is not UTF-8', error);
  }
}

function refuse({ directory, parts, isPrivate }: ScopeFile, reason: string, cause?: unknown): EngineError {
  const path = join(directory, ...parts);
  const remedy = isPrivate
    ? 'Put a regular file of your own there that only you may write, or remove it.'
    : 'Put a readable file there, or remove it.';
  return new EngineError('policy-invalid', `The policy file ${JSON.stringify(path)} cannot be used: ${reason}.`, {
    remedy,
    cause,
  });
}
