// Finding files by name and lines by pattern. ripgrep only says where to look: every path is judged before it is shown or
// counted, and every line is read again through the guard, so a search tells no more than reading file by file would.
import type { Verdict } from '../../shared/act.ts';
import { Findings } from './findings.ts';
import type { GuardedFiles, Search, SearchHit } from './guard.ts';
import { findRefusal } from './judge-resolved.ts';
import { withPlace } from './judged-place.ts';
import { createPathFilter, isCovered, locateFile, type SearchOptions } from './locate-file.ts';
import { createSearchGlob } from './match-search-glob.ts';
import { readLines } from './read-lines.ts';
import { createLineReader, createPathReader, type LinePlace } from './read-ripgrep-output.ts';

type GrepQuery = Parameters<GuardedFiles['grep']>[0];

const maxPaths = 1000;
const maxHits = 200;
const maxLineCharacters = 500;

/** Of a line only its number is wanted. */
const lineOptions = [
  '--line-number',
  '--no-heading',
  '--with-filename',
  '--max-columns=1',
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
  const isShown = createPathFilter((path) => locateFile(options, path) !== null);
  const found = new Findings<string>(maxPaths);
  const readPaths = createPathReader((path) => {
    if (matches(path) && isShown(path)) found.add(path);
  });
  const directory = options.root.identity.path;
  return await found.collect({ directory, search: ['--files'], path: '.', signal }, readPaths);
}

async function grepLines(options: SearchOptions, query: GrepQuery, signal: AbortSignal): Promise<Search<SearchHit>> {
  const path = query.path ?? '.';
  const searched = locateFile(options, path);
  if (searched === null || findRefusal(searched.verdict, options.permission.permitted) !== null) {
    return { kind: 'failed', reason: `there is nothing that can be searched at "${path}"` };
  }
  const matches = query.glob === null ? () => true : createSearchGlob(query.glob);
  const isShown = createPathFilter((hit) => {
    const file = locateFile(options, hit);
    return file !== null && isCovered(file.verdict, searched.verdict);
  });
  const found = new Findings<LinePlace>(maxHits);
  const readPlaces = createLineReader((place) => {
    if (matches(place.path) && isShown(place.path)) found.add(place);
  });
  const search = [...lineOptions, `--regexp=${query.pattern}`];
  const run = { directory: options.root.identity.path, search, path: searched.real, signal };
  const places = await found.collect(run, readPlaces);
  return places.kind === 'failed'
    ? places
    : { ...places, items: await readHits(options, places.items, searched.verdict) };
}

/** The lines themselves, from files that are placed and judged once more. */
async function readHits(
  { root, permission }: SearchOptions,
  places: readonly LinePlace[],
  searched: Verdict,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for (const [path, wanted] of Map.groupBy(places, (place) => place.path)) {
    const numbers = new Set(wanted.map(({ line }) => line));
    const lines = await withPlace(root, { kind: 'read', path }, permission, ({ verdict, place }) =>
      isCovered(verdict, searched) ? readLines(place, numbers) : null,
    );
    for (const [line, text] of lines ?? []) hits.push({ path, line, text: cut(text) });
  }
  return hits;
}

function cut(line: string): string {
  return line.length <= maxLineCharacters ? line : `${line.slice(0, maxLineCharacters)} [cut]`;
}
