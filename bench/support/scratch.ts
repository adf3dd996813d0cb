// Places that a measurement works in. They lie below the system's directory for temporary files, so `TMPDIR` chooses the
// disk that is measured.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Scratch extends Disposable {
  readonly path: string;
  /** Makes a new workspace that holds the file which the scripted model reads. */
  createWorkspace(name: string): string;
}

export function openScratch(): Scratch {
  const path = mkdtempSync(join(tmpdir(), 'io-studio-bench-'));
  return {
    path,
    createWorkspace(name) {
      const workspace = join(path, name);
      mkdirSync(workspace);
      writeFileSync(join(workspace, 'input.txt'), inputText);
      return workspace;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

const inputText = Array.from(
  { length: 12 },
  (_, line) => `Line ${line + 1} of a small file that is read again.\n`,
).join('');

/** Bytes of all files below `directory`. */
export function measureBytes(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
