// A mount lies on what was there when it was made: where somebody outside gives the name to something else, by a rename over
// it or over a directory above it, the kernel takes the mount away. Nobody can prevent that, but it does not go unnoticed.
import { type FSWatcher, lstatSync, watch } from 'node:fs';
import { toParents } from '../to-parents.ts';

export interface WatchOptions {
  /** Real path. */
  readonly workspace: string;
  /** Relative paths of what is covered. */
  readonly paths: readonly string[];
  /** Called once for each path that is not what it was. */
  readonly onLost: (path: string) => void;
}

export interface CoverWatch extends Disposable {
  /** Paths that are not what they were, also those that nobody was told of yet. */
  readonly lost: ReadonlySet<string>;
  look(): void;
}

/** Throws what the system says when there are no more watches to be had. */
export function watchCovers({ workspace, paths, onLost }: WatchOptions): CoverWatch {
  const lost = new Set<string>();
  const first = new Map(paths.map((path) => [path, identify(workspace, path)]));
  const look = (): void => {
    for (const [path, identity] of first) {
      if (lost.has(path) || identify(workspace, path) === identity) continue;
      lost.add(path);
      onLost(path);
    }
  };
  const watchers = watchDirectories(workspace, paths, look);
  return {
    lost,
    look,
    [Symbol.dispose]() {
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Each directory that holds a name on the way to one of the paths; what happens to other names in it says nothing. */
function watchDirectories(workspace: string, paths: readonly string[], look: () => void): FSWatcher[] {
  const names = Map.groupBy(new Set(paths.flatMap((path) => [...toParents(path), path])), toParent);
  const watchers: FSWatcher[] = [];
  try {
    for (const [directory, watched] of names) {
      const wanted = new Set(watched.map((path) => path.slice(path.lastIndexOf('/') + 1)));
      const watcher = watch(`${workspace}/${directory}`, { persistent: false }, (_, name) => {
        if (name === null || wanted.has(name)) look();
      });
      watcher.on('error', look);
      watchers.push(watcher);
    }
    return watchers;
  } catch (error) {
    for (const watcher of watchers) watcher.close();
    throw error;
  }
}

const toParent = (path: string): string => toParents(path).at(-1) ?? '';

/** By everything on the way: a file that kept its own identity may have come to lie in another directory of that name. */
function identify(workspace: string, path: string): string {
  return [...toParents(path), path].map((each) => identifyEntry(`${workspace}/${each}`)).join(' ');
}

function identifyEntry(path: string): string {
  try {
    const { dev, ino } = lstatSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return 'none';
  }
}
