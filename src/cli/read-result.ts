import { readFileSync } from 'node:fs';
import { EngineError } from '../shared/engine-error.ts';

/** What a call came to, from a file or a descriptor. Throws `usage`. */
export function readResult(file: string | number): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const source = typeof file === 'number' ? 'standard input' : file;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError('usage', `The result cannot be read from ${source}: ${why}`, {
      remedy: 'Name a readable file.',
      cause,
    });
  }
}
