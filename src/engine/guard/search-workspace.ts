// Finding files by name and lines by pattern. A path is judged before it is shown or counted, so a search tells no more
// than reading file by file would. Between ripgrep's own look and ours a path may be swapped: then the line shown is one
// that ripgrep read under a path it should not have followed, which is the one race that remains here.
import type { LocatedFile } from './act-judge.ts';
import type { GuardedFiles, Search, SearchHit } from './guard.ts';
import { createSearchGlob } from './match-search-glob.ts';
import { createLineReader, createPathReader } from './read-ripgrep-output.ts';
import { type RipgrepOptions, runRipgrep } from './run-ripgrep.ts';
import { isTemporaryName } from './temporary-name.ts';

export interface SearchOptions {
  /** The workspace's real path. */
  readonly root: string;
  /** The file or directory that may be read at a path; null where there is none. */
  readonly locate: (path: string) => LocatedFile | null;
}

type GrepQuery = Parameters<GuardedFiles['grep']>[0];

const maxPaths = 1000;
const maxHits = 200;
const maxLineCharacters = 500;

/** A line is cut by ripgrep first: a minified file may be one line of many megabytes. */
const lineOptions = [
  '--line-number',
  '--no-heading',
  '--with-filename',
  `--max-columns=${maxLineCharacters * 4}`,
  '--max-columns-preview',
  `--max-count=${maxHits + 1}`,
];

/** The two searches of a guard's file handle. */
export function createSearch(options: SearchOptions): Pick<GuardedFiles, 'find' | 'grep'> {
  return {
    find: (glob, signal) => findPaths(options, glob, signal),
    grep: (query, signal) => grepLines(options, query, signal),
  };
}

async function findPaths(options: SearchOptions, glob: string, signal: AbortSignal): Promise<Search<string>> {
  const matches = createSearchGlob(glob);
  const isShown = createPathFilter((path) => options.locate(path) !== null);
  const found = new Findings<string>(maxPaths);
  const readPaths = createPathReader((path) => {
    if (matches(path) && isShown(path)) found.add(path);
  });
  const run = { directory: options.root, search: ['--files'], path: '.', signal };
  return await found.collect(run, readPaths);
}

async function grepLines(options: SearchOptions, query: GrepQuery, signal: AbortSignal): Promise<Search<SearchHit>> {
  const path = query.path ?? '.';
  const place = options.locate(path);
  if (place === null) return { kind: 'failed', reason: `there is nothing that can be searched at "${path}"` };
  const matches = query.glob === null ? () => true : createSearchGlob(query.glob);
  const isShown = createPathFilter((hit) => isReadable(options.locate(hit), place));
  const found = new Findings<SearchHit>(maxHits);
  const readLines = createLineReader((hit) => {
    if (matches(hit.path) && isShown(hit.path)) found.add({ ...hit, text: cut(hit.text) });
  });
  const search = [...lineOptions, `--regexp=${query.pattern}`];
  return await found.collect({ directory: options.root, search, path: place.real, signal }, readLines);
}

/** Nobody was asked about a file whose reading must be asked for, unless the whole search was. */
function isReadable(file: LocatedFile | null, place: LocatedFile): boolean {
  return file !== null && (!file.isAsked || place.isAsked);
}

/** Judges each path once, however many of its lines were found one after the other. */
function createPathFilter(isAllowed: (path: string) => boolean): (path: string) => boolean {
  let last = { path: '', isShown: false };
  return (path) => {
    const isOwn = isTemporaryName(path.slice(path.lastIndexOf('/') + 1));
    if (path !== last.path) last = { path, isShown: !isOwn && isAllowed(path) };
    return last.isShown;
  };
}

function cut(line: string): string {
  return line.length <= maxLineCharacters ? line : `${line.slice(0, maxLineCharacters)} [cut]`;
}

/** What was found, up to a limit, and whether there is more. */
class Findings<Item> {
  readonly #items: Item[] = [];
  readonly #limit: number;
  #more = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(item: Item): void {
    if (this.#items.length < this.#limit) this.#items.push(item);
    else this.#more = true;
  }

  /** Runs the search until it ends or there is one finding too many. */
  async collect(run: Omit<RipgrepOptions, 'onOutput'>, read: (chunk: Buffer) => void): Promise<Search<Item>> {
    const onOutput = (chunk: Buffer) => {
      read(chunk);
      return this.#more ? 'enough' : 'more';
    };
    const end = await runRipgrep({ ...run, onOutput });
    return end.kind === 'failed' ? end : { kind: 'found', items: this.#items, more: this.#more };
  }
}
