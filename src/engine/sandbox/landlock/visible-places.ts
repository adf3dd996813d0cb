// What a command may touch beside the directory it works in. /proc is readable as a whole: a rule for one process in it
// would not last, because the kernel makes its entries anew whenever it likes.
import { existsSync } from 'node:fs';
import { readSystemLayout } from '../linux/system-layout.ts';
import type { Mount } from '../toolchain/toolchain.ts';

/** Directories and files that are there, to read and to run. */
export function listReadable(mounts: readonly Mount[]): readonly string[] {
  const accounts = ['/etc/passwd', '/etc/group', '/etc/hosts'];
  const all = [...readSystemLayout().readable, ...accounts, '/proc', ...mounts.map(({ source }) => source)];
  return [...new Set(all)].filter((path) => existsSync(path));
}

export const writableDevices: readonly string[] = [
  '/dev/null',
  '/dev/zero',
  '/dev/full',
  '/dev/random',
  '/dev/urandom',
];
