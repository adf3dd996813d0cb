// A directory of its own for one test, gone with the test.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TemporaryDirectory extends Disposable {
  readonly path: string;
  /** Writes a file and the directories above it; returns its absolute path. */
  write(file: string, content: string | Uint8Array): string;
  read(file: string): string;
  /** Makes a directory; returns its absolute path. */
  make(directory: string): string;
}

export function createTemporaryDirectory(): TemporaryDirectory {
  const path = mkdtempSync(join(tmpdir(), 'io-studio-test-'));
  // A test may hand it to a process with another user id.
  chmodSync(path, 0o755);
  return {
    path,
    write(file, content) {
      const absolute = join(path, file);
      mkdirSync(dirname(absolute), { recursive: true });
      writeFileSync(absolute, content);
      return absolute;
    },
    read: (file) => readFileSync(join(path, file), 'utf8'),
    make(directory) {
      const absolute = join(path, directory);
      mkdirSync(absolute, { recursive: true });
      return absolute;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
