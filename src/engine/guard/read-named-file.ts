// A policy or settings file that a person has just named, wherever it lies: links on the way are theirs.
import { realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { EngineError } from '../../shared/engine-error.ts';
import { readScopeFile } from './read-scope-file.ts';

/** Its text. Throws `policy-invalid` when it is not there or cannot be read as a regular file of at most 1 MiB. */
export function readNamedFile(path: string): string {
  const real = toRealPath(path);
  const text = readScopeFile({ origin: 'app', directory: dirname(real), parts: [basename(real)], isPrivate: false });
  if (text === null) throw missing(path);
  return text;
}

function toRealPath(path: string): string {
  try {
    return realpathSync(resolve(path));
  } catch (cause) {
    throw missing(path, cause);
  }
}

function missing(path: string, cause?: unknown): EngineError {
  return new EngineError('policy-invalid', `The file ${JSON.stringify(path)} cannot be read: it is not there.`, {
    remedy: 'Name a file that exists.',
    cause,
  });
}
