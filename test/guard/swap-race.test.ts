// The guard against a process that swaps directories of the workspace for links to a place outside, all the time.
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GuardedFiles } from '../../src/engine/guard/guard.ts';
import { permissivePolicy } from '../../src/engine/policy/permissive-policy.ts';
import { type GuardedWorkspace, listTree, openGuardedWorkspace } from '../support/guarded-workspace.ts';
import { startSwapper, stopSwapper } from '../support/swapper.ts';

const rounds = 10_000;
/** Searches start a process each. */
const roundsPerSearch = 200;
const directories = ['dir', 'deep/mid'];
const marker = 'marker-of-the-outside';
const isLinux = process.platform === 'linux';
/** In memory a round is not spent on waiting for a disk. */
const fastDirectory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

describe('directories that are swapped for links while they are used', () => {
  it.runIf(isLinux)(
    `never let anything outside be read, named or written, in ${rounds} rounds`,
    async () => {
      await using workspace = await openGuardedWorkspace(permissivePolicy, { directory: fastDirectory });
      fill(workspace);
      const before = describeTree(workspace.outside);
      const swapper = await startSwapper(workspace, directories);
      const seen = new Seen();
      for (let round = 0; round < rounds; round++) await useAll(workspace, round, seen);
      const swaps = await stopSwapper(swapper);
      console.log(`swap race: ${rounds} rounds, ${swaps} swaps, ${seen.describe()}`);
      expect({ leaks: seen.leaks, outside: describeTree(workspace.outside) }).toEqual({ leaks: [], outside: before });
      expect(swaps).toBeGreaterThan(1000);
      expect(seen.successes).toBeGreaterThan(1000);
    },
    120_000,
  );

  if (!isLinux) console.log('swap race: skipped, as only Linux holds directories by descriptors here');
});

/** The same names inside and outside, told apart by what is in them. */
function fill({ outside, write }: GuardedWorkspace): void {
  for (const directory of directories) write(`${directory}/file`, 'inside');
  writeFileSync(join(outside, 'file'), marker);
  writeFileSync(join(outside, marker), marker);
  mkdirSync(join(outside, 'sub'));
  writeFileSync(join(outside, 'sub', 'file'), marker);
}

/** Everything that came back, of which nothing may be from outside. */
class Seen {
  readonly leaks: unknown[] = [];
  readonly #kinds = new Map<string, number>();
  successes = 0;

  add(what: string, { kind }: { readonly kind: string }, shown: unknown = null): void {
    const key = `${what} ${kind}`;
    this.#kinds.set(key, (this.#kinds.get(key) ?? 0) + 1);
    if (['file', 'replaced', 'listed', 'found', 'hashed'].includes(kind)) this.successes++;
    if (JSON.stringify(shown).includes(marker) && this.leaks.length < 10) this.leaks.push({ what, shown });
  }

  describe(): string {
    return [...this.#kinds].map(([key, count]) => `${key} ${count}`).join(', ');
  }
}

async function useAll({ guard, files, stance }: GuardedWorkspace, round: number, seen: Seen): Promise<void> {
  const directory = directories[round % directories.length] ?? '.';
  const path = `${directory}/file`;
  const after = Buffer.from(`inside ${round}`);
  const read = await files.read(path, 1000);
  seen.add('read', read, read.kind === 'file' ? [read.file.path, Buffer.from(read.file.bytes).toString()] : null);
  const before = read.kind === 'file' ? read.file.hash : null;
  seen.add('replace', await guard.replace(path, { before, after, permitted: 'ask' }, stance));
  const listed = await files.list(directory);
  seen.add('list', listed, listed);
  const hash = await guard.hash(path).catch(() => null);
  seen.add(
    'hash',
    { kind: hash === null ? 'none' : 'hashed' },
    hash === files.hashOf(Buffer.from(marker)) ? marker : hash,
  );
  const name = `${directory}/sub/new-${round % 10}`;
  if (round % 4 === 0) seen.add('create', await guard.replace(name, { before: null, after, permitted: 'ask' }, stance));
  if (round % roundsPerSearch === 0) await search(files, seen);
}

async function search(files: GuardedFiles, seen: Seen): Promise<void> {
  const { signal } = new AbortController();
  const found = await files.find('*', signal);
  seen.add('find', found, found);
  const hits = await files.grep({ pattern: 'inside|marker', path: null, glob: null }, signal);
  seen.add('grep', hits, hits);
}

/** Names, contents and times. */
function describeTree(directory: string) {
  return ['.', ...listTree(directory)].map((path) => {
    const { mtimeMs, ctimeMs, size, ino } = lstatSync(join(directory, path));
    const isDirectory = lstatSync(join(directory, path)).isDirectory();
    return { path, mtimeMs, ctimeMs, ino, content: isDirectory ? size : readFileSync(join(directory, path), 'utf8') };
  });
}
