// Looks at what a command is to be given as its workspace. What holds the system's own programs, or shows the kernel's inside
// as files, is none: such files have no end, or none that can be waited for.
import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import type { StartFailure } from './launch.ts';
import { listPrivateBases } from './ownership/private-base.ts';

export type FoundWorkspace =
  | {
      readonly kind: 'found';
      /** Its real path. */
      readonly path: string;
      readonly stats: BigIntStats;
      /** What engines keep for all their commands lies in it, at these relative paths: no command may see it. */
      readonly ownPaths: readonly string[];
    }
  | StartFailure;

export function findWorkspace(path: string): FoundWorkspace {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return refuse(`there is no directory ${path}`);
  const real = realpathSync(path);
  if (isOfSystem(real)) return refuse(`${real} holds the system's own programs or settings`);
  const bases = listPrivateBases().filter((base) => isBelow(base, real));
  return { kind: 'found', path: real, stats, ownPaths: bases.map((base) => relative(real, base)) };
}

const systemPlaces = new Set(['/', '/usr', '/etc', '/bin', '/sbin', '/lib', '/lib64', '/run']);
const kernelPlaces = ['/proc', '/sys', '/dev'];
/** Memory as files, at a place among devices. */
const sharedMemory = '/dev/shm';

function isOfSystem(path: string): boolean {
  if (path === sharedMemory || isBelow(path, sharedMemory)) return false;
  return systemPlaces.has(path) || kernelPlaces.some((place) => path === place || isBelow(path, place));
}

const isBelow = (path: string, place: string): boolean => path.startsWith(`${place}/`);

function refuse(reason: string): StartFailure {
  return { kind: 'not-started', stage: 'directory', reason };
}
