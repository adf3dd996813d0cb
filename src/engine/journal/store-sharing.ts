// Whether a directory can be reached by other machines: over a network file system, or because a program copies it to them.
// There neither locks nor pids say who drives a run, and the journal's own locks may not hold either.
import { lstatSync, readFileSync, realpathSync, type Stats, statfsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { localFuse, sharedFileSystems } from './shared-file-systems.ts';
import { createStoreError } from './store-error.ts';
import { toDatabaseFile } from './store-file.ts';

/** What the decision looks at; the defaults ask the system. */
export interface SharingSources {
  /** The type of the file system that holds `path`, as the kernel numbers them; null on systems that do not. */
  readonly readType: (path: string) => number | null;
  /** The kernel's list of mounts, as in `/proc/self/mountinfo`. */
  readonly readMounts: () => string;
}

/** How others can reach `directory`, as words for people; null where nothing says that they can. */
export function findSharing(directory: string, sources: SharingSources = system): string | null {
  const path = toExisting(directory);
  return findNetwork(path, sources) ?? findSynchroniser(path);
}

/** Throws `store-shared`. */
export function assertUnshared(home: string): void {
  const sharing = findSharing(home);
  if (sharing !== null) throw createStoreError('store-shared', toDatabaseFile(home), sharing);
}

/** A directory that is still to be made will lie where the nearest one above it does. */
function toExisting(directory: string): string {
  try {
    return realpathSync.native(directory);
  } catch {
    const parent = dirname(directory);
    return parent === directory ? directory : toExisting(parent);
  }
}

function findNetwork(path: string, { readType, readMounts }: SharingSources): string | null {
  if (path.startsWith('\\\\')) return 'it lies on another machine';
  const type = readType(path);
  if (type === null) return null;
  const name = sharedFileSystems.get(type);
  if (name !== undefined) return `it lies on ${name}`;
  if (type !== fuse) return null;
  const kind = findMount(path, readMounts());
  return localFuse.has(kind) ? null : `it lies on the file system "${kind}", which may lead anywhere`;
}

const fuse = 0x65735546;

/** The kind of the innermost mount that holds the path. */
function findMount(path: string, mounts: string): string {
  const found = mounts
    .split('\n')
    .flatMap(parseMount)
    .filter(({ point }) => path === point || path.startsWith(point === '/' ? point : `${point}/`));
  // Of two with the same point the later one lies on top.
  return found.reduce((best, mount) => (mount.point.length >= best.point.length ? mount : best), noMount).kind;
}

const noMount = { point: '', kind: 'fuse' };

function parseMount(line: string): { point: string; kind: string }[] {
  const [left = '', right = ''] = line.split(' - ');
  const [point, kind] = [left.split(' ')[4], right.split(' ')[0]];
  return point === undefined || kind === undefined ? [] : [{ point: point.replaceAll(octal, toCharacter), kind }];
}

const octal = /\\([0-7]{3})/g;
const toCharacter = (_match: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 8));

/** By what such programs are known to leave, or to be called, at the top of what they copy. */
function findSynchroniser(path: string): string | null {
  const parent = dirname(path);
  const above = parent === path ? null : findSynchroniser(parent);
  return above ?? findNamed(path) ?? findMarked(path);
}

function findNamed(path: string): string | null {
  const name = basename(path);
  if (name === 'Mobile Documents' && basename(dirname(path)) === 'Library') return 'it is copied by iCloud Drive';
  if (basename(dirname(path)) === 'CloudStorage') return `it is copied by ${name}`;
  if (/^OneDrive( - .+)?$/.test(name)) return 'it is copied by OneDrive';
  return /^Google ?Drive$/.test(name) ? 'it is copied by Google Drive' : null;
}

function findMarked(path: string): string | null {
  const marker = markers.find(({ name, is }) => {
    const stats = readStats(join(path, name));
    return stats !== null && (is === 'file' ? stats.isFile() : stats.isDirectory());
  });
  return marker === undefined ? null : `it is copied by ${marker.by}`;
}

/** Where one may not look there is nothing to be found; what that means for a home is told when it is opened. */
function readStats(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

const markers = [
  // A directory of this name is Dropbox's own settings, in the home of everybody who uses it.
  { name: '.dropbox', is: 'file', by: 'Dropbox' },
  { name: '.dropbox.cache', is: 'directory', by: 'Dropbox' },
  { name: '.tmp.drivedownload', is: 'directory', by: 'Google Drive' },
  { name: '.849C9593-D756-4E56-8D6E-42412F2A707B', is: 'file', by: 'OneDrive' },
  { name: '.stfolder', is: 'directory', by: 'Syncthing' },
  { name: '.sync', is: 'directory', by: 'Resilio Sync' },
  { name: '.nextcloudsync.log', is: 'file', by: 'Nextcloud' },
  { name: '.owncloudsync.log', is: 'file', by: 'ownCloud' },
] as const;

const system: SharingSources = {
  readType: (path) => (process.platform === 'linux' ? statfsSync(path).type : null),
  readMounts: () => readFileSync('/proc/self/mountinfo', 'utf8'),
};
