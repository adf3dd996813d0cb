// A contract as a person hands it over: one JSON object in a file, or on standard input. What it says is for the engine to
// parse.
import { readFileSync } from 'node:fs';
import { EngineError } from '../engine/index.ts';

/** `-` is standard input. Throws `contract-invalid`. */
export function readObject(file: string): object {
  const source = file === '-' ? 'standard input' : file;
  try {
    const json: unknown = JSON.parse(readFileSync(file === '-' ? 0 : file, 'utf8'));
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw unreadable(`The contract cannot be read from ${source}: ${reason}`);
  }
  throw unreadable(`The contract in ${source} is not a JSON object.`);
}

const unreadable = (message: string): EngineError =>
  new EngineError('contract-invalid', message, {
    remedy: 'A contract is one JSON object; its schema is resources/task-contract.schema.json.',
  });
