import { accessSync, constants, statSync } from 'node:fs';

/** Whether a file is there that this process may execute. */
export function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
