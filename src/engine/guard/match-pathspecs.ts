// Which of the files that git keeps its pathspecs mean. What is understood is taken exactly; of everything else so much is
// taken that no file is missed: a pattern stands for all below the directory it begins with, an exception that is none of
// plain words for nothing.
import { posix } from 'node:path';

export interface PathspecSetting {
  /** Where the repository begins, as an absolute path. */
  readonly top: string;
  /** Where git was started, as an absolute path. */
  readonly start: string;
}

/** Tells of a path, relative to the top, whether it is meant. Without pathspecs all are. */
export function matchPathspecs(pathspecs: readonly string[], setting: PathspecSetting): (path: string) => boolean {
  const specs = pathspecs.map((text) => parsePathspec(text, setting));
  const included = specs.filter(({ isExclusion }) => !isExclusion);
  const excluded = specs.filter(({ isExclusion }) => isExclusion);
  return (path) =>
    (included.length === 0 || included.some((spec) => isMeant(spec, path))) &&
    !excluded.some((spec) => isMeant(spec, path));
}

interface Pathspec {
  readonly isExclusion: boolean;
  /** Relative to the top, which is the empty path; null for one that means nothing. */
  readonly path: string | null;
  /** Only what lies below it. */
  readonly isDirectory: boolean;
}

function isMeant({ path, isDirectory }: Pathspec, tracked: string): boolean {
  if (path === null) return false;
  return path === '' || (!isDirectory && tracked === path) || tracked.startsWith(`${path}/`);
}

function parsePathspec(text: string, { top, start }: PathspecSetting): Pathspec {
  const { words, rest } = splitMagic(text);
  const isExclusion = words.has('exclude');
  const vague: Pathspec = { isExclusion, path: isExclusion ? null : '', isDirectory: false };
  if (rest === '' || [...words].some((word) => !plainMagic.has(word))) return vague;
  // From the top git takes a path as it stands, so that "./a" there is no file.
  if (isExclusion && words.has('top') && posix.normalize(rest) !== rest) return vague;
  const special = words.has('literal') ? -1 : rest.search(/[*?[\\]/);
  if (special !== -1 && isExclusion) return vague;
  const fixed = special === -1 ? rest : rest.slice(0, rest.lastIndexOf('/', special) + 1);
  const path = posix.relative(top, posix.resolve(words.has('top') ? top : start, fixed));
  // An exception of everything is none for git.
  if (path === '..' || path.startsWith('../') || (isExclusion && path === '')) return vague;
  return { isExclusion, path, isDirectory: isExclusion && rest.endsWith('/') };
}

/** What is said of a pathspec before its path; other words than these may make it mean more, or an exception less. */
const plainMagic = new Set(['top', 'exclude', 'literal', 'glob']);
const shortMagic: Readonly<Record<string, string>> = { '/': 'top', '!': 'exclude', '^': 'exclude' };

/** `:(top,exclude)a` and `:/!a` are the same. */
function splitMagic(text: string): { readonly words: ReadonlySet<string>; readonly rest: string } {
  const [, long, afterLong] = /^:\(([^)]*)\)([\s\S]*)$/.exec(text) ?? [];
  if (long !== undefined)
    return { words: new Set(long.split(',').filter((word) => word !== '')), rest: afterLong ?? '' };
  const [, short = '', afterShort] = /^:([^\w\s.*?[\\(:-]*):?([\s\S]*)$/.exec(text) ?? [];
  if (afterShort === undefined) return { words: new Set(), rest: text };
  return { words: new Set([...short].map((sign) => shortMagic[sign] ?? sign)), rest: afterShort };
}
