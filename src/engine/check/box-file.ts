import type { BoxFile } from '../sandbox/sandbox.ts';

/** What the names of a gate's own files begin with, so that none can be one of the subject's. */
export const gatePrefix = 'io-studio-gate-';

export function toBoxFile(path: string, content: string | Uint8Array, mode: BoxFile['mode'] = 0o644): BoxFile {
  return { path, bytes: typeof content === 'string' ? Buffer.from(content) : content, mode };
}

/** A file that a command was to leave in its box; null when it did not. */
export function takeProgram(files: ReadonlyMap<string, Uint8Array>, name: string): BoxFile | null {
  const bytes = files.get(name);
  return bytes === undefined ? null : toBoxFile(name, bytes, 0o755);
}
