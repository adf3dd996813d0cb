// A disk of its own that is soon full. Only root may mount one, and not everywhere.
import { spawnSync } from 'node:child_process';
import { createTemporaryDirectory } from './temporary-directory.ts';

export interface SmallDisk extends Disposable {
  grow(): void;
}

export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  using place = createTemporaryDirectory();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', place.path]).status === 0;
  if (mounted) spawnSync('umount', [place.path]);
  return mounted;
}

/** `size` as `mount` takes it. */
export function mountSmallDisk(path: string, size: string): SmallDisk {
  const mount = (...args: string[]): void => {
    const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path);
  return {
    grow: () => mount('-o', 'remount,size=64m', path),
    [Symbol.dispose]: () => void spawnSync('umount', ['-l', path]),
  };
}
