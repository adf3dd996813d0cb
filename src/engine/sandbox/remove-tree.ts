// Removes a directory in which strangers' programs have worked, and may work still. Links are removed and never followed,
// not even where a directory is swapped for one in the middle: on Linux every step starts from a held descriptor. Directories
// that were shut are opened. However deep it goes, two descriptors are held; the time it may take is bounded.
import { chmodSync, closeSync, constants, fstatSync, openSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { chmod, lstat, opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { listEntries, toEntryPath } from './list-entries.ts';
import { toErrorCode } from './to-error-code.ts';

const maxMs = 30_000;

/** Resolves to whether nothing of it is left. What cannot be removed stays; nothing is thrown. */
export async function removeTree(path: string): Promise<boolean> {
  try {
    await (process.platform === 'linux' ? empty(path) : removeByPath(path));
    rmdirSync(path);
    return true;
  } catch (error) {
    return toErrorCode(error) === 'ENOENT';
  }
}

/** Goes over the directory until it is empty, or a round removes nothing, or it takes too long. */
async function empty(path: string): Promise<void> {
  using top = hold(path);
  const pace = createPace();
  for (let before = -1; before !== pace.done() && !pace.isOver(); ) {
    before = pace.done();
    for (const entry of listEntries(top)) {
      if (entry.isDirectory()) await pace.attempt(() => flatten(top, entry.name, pace));
      else await pace.attempt(() => unlinkSync(toEntryPath(top, entry.name)));
    }
  }
}

/** What the directory holds goes away; directories in it move up beside it, so that depth never counts. */
async function flatten(top: Held, name: string, pace: Pace): Promise<void> {
  using directory = hold(toEntryPath(top, name));
  for (const entry of listEntries(directory)) {
    if (entry.isDirectory()) await pace.attempt(() => moveUp(toEntryPath(directory, entry.name), top));
    else await pace.attempt(() => unlinkSync(toEntryPath(directory, entry.name)));
  }
  rmdirSync(toEntryPath(top, name));
}

let moved = 0;

/** It must be open for this, because the name of what is above it is written into it. */
function moveUp(from: Buffer, top: Held): void {
  hold(from)[Symbol.dispose]();
  renameSync(from, toEntryPath(top, `io-studio-removed-${process.pid}-${moved++}`));
}

interface Held extends Disposable {
  readonly path: string;
}

/** A descriptor that only names the directory: for that it need not be open to us. */
const openByPath = 0o10000000;

/** Holds what must be a directory itself, and opens it to us. */
function hold(path: string | Buffer): Held {
  const descriptor = openSync(path, constants.O_DIRECTORY | constants.O_NOFOLLOW | openByPath);
  const held = `/proc/self/fd/${descriptor}`;
  if ((fstatSync(descriptor).mode & 0o700) !== 0o700) chmodSync(held, 0o700);
  return { path: held, [Symbol.dispose]: () => closeSync(descriptor) };
}

interface Pace {
  /** One step, which may fail; now and then others get their turn first. */
  attempt(step: () => void | Promise<void>): Promise<void>;
  done(): number;
  isOver(): boolean;
}

function createPace(): Pace {
  const deadline = performance.now() + maxMs;
  let attempts = 0;
  let done = 0;
  const isOver = (): boolean => performance.now() > deadline;
  return {
    async attempt(step) {
      if (isOver()) return;
      if (++attempts % 128 === 0) await setImmediate();
      try {
        await step();
        done++;
      } catch {
        // Gone meanwhile, or swapped for something else, or not to be removed: the next round sees.
      }
    },
    done: () => done,
    isOver,
  };
}

/** Where descriptors have no path: an entry swapped at the wrong moment is the risk that remains. */
async function removeByPath(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return;
  await openDirectories(path);
  for await (const entry of await opendir(path)) await rm(join(path, entry.name), { recursive: true, force: true });
}

async function openDirectories(path: string): Promise<void> {
  await chmod(path, 0o700);
  for await (const entry of await opendir(path)) {
    if (entry.isDirectory()) await openDirectories(join(path, entry.name));
  }
}
