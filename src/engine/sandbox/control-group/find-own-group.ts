// Where this process stands in the control groups of the system (cgroup v2), told from what /proc says of it. Only looked at.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type OwnGroup =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'none'; readonly reason: string };

/** The files of /proc that are read. */
export interface OwnGroupSources {
  readonly mounts: string;
  readonly own: string;
}

const ofProcess: OwnGroupSources = { mounts: '/proc/self/mountinfo', own: '/proc/self/cgroup' };

/** The directory of its group. */
export function findOwnGroup({ mounts, own }: OwnGroupSources = ofProcess): OwnGroup {
  const name = /^0::(\/.*)$/m.exec(readText(own))?.[1];
  const hierarchies = readText(mounts).split('\n').flatMap(toHierarchy);
  if (name === undefined || hierarchies.length === 0) return none('there is no cgroup v2 hierarchy');
  for (const { root, directory } of hierarchies) {
    const below = toPathBelow(name, root);
    if (below !== null) return { kind: 'found', path: join(directory, below) };
  }
  return none(`the control group of the engine, ${name}, is out of its sight`);
}

const none = (reason: string): OwnGroup => ({ kind: 'none', reason });

interface Hierarchy {
  /** What of it is mounted. */
  readonly root: string;
  readonly directory: string;
}

/** One line; what stands before the dash has a varying number of words. */
function toHierarchy(line: string): readonly Hierarchy[] {
  const [before = '', after = ''] = line.split(' - ');
  const [, , , root, directory] = before.split(' ');
  if (root === undefined || directory === undefined || !after.startsWith('cgroup2 ')) return [];
  return [{ root: toPlainPath(root), directory: toPlainPath(directory) }];
}

/** Blanks and the like are told by their octal numbers. */
function toPlainPath(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** Null where `root` does not lead to it. A group outside the namespace of this process has a name that goes upwards. */
function toPathBelow(name: string, root: string): string | null {
  if (name.split('/').includes('..')) return null;
  if (root === '/') return name;
  return name === root || name.startsWith(`${root}/`) ? name.slice(root.length) : null;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
