import { readFileSync } from 'node:fs';
import { EngineError } from '../shared/engine-error.ts';

/** Other arguments for a call, from a file of JSON; `-` is standard input. Throws `rewrite-invalid`. */
export function readRewrite(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
  } catch (cause) {
    const source = file === '-' ? 'standard input' : file;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new EngineError('rewrite-invalid', `The rewrite cannot be read from ${source}: ${reason}`, {
      remedy: 'A rewrite is the JSON object of arguments that the tool is to get.',
      cause,
    });
  }
}
