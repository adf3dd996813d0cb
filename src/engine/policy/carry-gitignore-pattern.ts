// Path patterns in the language of gitignore: `*` stays within a name, `**` does not, a pattern without `/` is found at any
// depth, and what is said of a directory holds for everything in it. Here `*` spans `/`, so what it would take in too much is
// excepted from an allow.
import { type Aim, type Carried, type CarriedPattern, joinStars, leftOut } from './carried-pattern.ts';
import { findPatternProblem } from './find-pattern-problem.ts';
import { type GitignoreGlob, type GitignoreRoot, parseGitignoreGlob, spanning } from './parse-gitignore-glob.ts';

/** Patterns for read and write acts. */
export function carryGitignorePattern(text: string, aim: Aim): Carried {
  return aim === 'narrow' ? carryNarrow(text) : carryWide(text);
}

/** What is read in two ways has to hold in both, so it is not said at all. */
function carryNarrow(text: string): Carried {
  const { root, body } = splitRoot(text);
  if (text !== text.trim()) return leftOut('blanks at its ends are read in different ways');
  if (root === '~/') return leftOut('the home is not known here: write its absolute path');
  if (root === '/') return leftOut('where it starts from is not known here: write it from the workspace on');
  if (text === '//**') return leftOut('some take `/**` at the end for nothing, and it would open the whole machine');
  const glob = meansElse.test(body) ? null : parseGitignoreGlob(body, root);
  if (glob === null) return leftOut('it cannot be said as narrowly');
  return toCarried(glob, root, 'narrow');
}

/** What a path begins with on a drive, and names that stand for directories, are mere names in the original. */
const meansElse = /^[a-z]:|(^|\/)\.{1,2}(\/|$)/i;

/** What is read in two ways is said in both. */
function carryWide(text: string): Carried {
  const { root, body } = splitRoot(text.replace(/^\s+|\s+$/g, '*'));
  // A sign before a root hides it from some, and a line end makes two patterns for others.
  const isClear = !/^(\.\/)?[\s!]+(\.?\/|~)|\p{Cc}/u.test(text);
  // Some take `./` at the head for nothing, so that a name is found at any depth.
  const glob = isClear ? parseGitignoreGlob(loosen(body), root === './' ? '' : root) : null;
  return glob === null ? everything : toCarried(glob, root, 'wide');
}

const everything: Carried = { patterns: [{ pattern: '*' }], note: 'said more widely as `*`' };

function splitRoot(text: string): { readonly root: GitignoreRoot; readonly body: string } {
  for (const root of ['//', '~/', '/', './'] as const) {
    if (text.startsWith(root)) return { root, body: text.slice(root.length) };
  }
  return text === '~' ? { root: '~/', body: '' } : { root: '', body: text };
}

/** Patterns here are at most 1,024 characters long, with what is put around this one. */
const maxBodyLength = 1000;

/**
 * A star takes in whatever a class, a question mark, an escape or a parenthesis did. Empty names are taken out, and so is what
 * only says that a directory is meant or what is in it: a directory stands for all of that, and goes with it.
 */
function loosen(body: string): string {
  const starred = body.replace(/\[.*\]|\[.*|\\.|[?\]{}()\\!]/gsu, '*');
  const short = starred.length > maxBodyLength ? `${starred.slice(0, maxBodyLength)}*` : starred;
  // Git itself takes `a**/b` for `ab` too.
  const named = short
    .replace(/(?<=[^/*])\*{2,}\/+(?:\*{2,}\/+)*/g, '*')
    .replace(/\/{2,}/g, '/')
    .replace(/^\//, '');
  return named.replace(/(?<=^|\/)\*{2,}(?:\/\*{2,})*(?=\/|$)/g, '**').replace(/(?:\/\*\*)?\/?$/, '');
}

function toCarried(glob: GitignoreGlob, root: GitignoreRoot, aim: Aim): Carried {
  const patterns = glob.bodies.flatMap((body) => toPatterns(body, { glob, root, aim }));
  const usable = patterns.filter(({ pattern, except = [] }) =>
    [pattern, ...except].every((each) => findPatternProblem('read', each) === null),
  );
  return {
    patterns: usable,
    note: usable.length < patterns.length ? 'it matches no path as it stands' : toNote(root, aim),
  };
}

interface Setting {
  readonly glob: GitignoreGlob;
  readonly root: GitignoreRoot;
  readonly aim: Aim;
}

function toPatterns(body: string, { glob, root, aim }: Setting): CarriedPattern[] {
  const places = toPlaces(body, { glob, root, aim });
  const contents = body.endsWith(spanning) && !glob.isContents ? [] : places.map((place) => `${place}/${spanning}`);
  return [...(glob.isContents ? [] : places), ...contents].map((place) => toPattern(place, { glob, root, aim }));
}

/** Nobody knows here where the workspace lies, so what is denied by an absolute path is denied by each of its tails too. */
function toPlaces(body: string, { glob: { isFloating }, root, aim }: Setting): string[] {
  const anywhere = [body, `${spanning}/${body}`];
  switch (root) {
    case '//':
      return aim === 'narrow' ? [`/${body}`] : [`/${body}`, ...toTails(body), ...(isFloating ? anywhere : [])];
    case '~/':
      return [`/${spanning}/${body}`, ...anywhere];
    case '/':
      return anywhere;
    default:
      return isFloating ? anywhere : [body];
  }
}

function toTails(body: string): string[] {
  const names = body.split('/');
  return names.map((_, index) => names.slice(index).join('/'));
}

function toPattern(place: string, { glob, aim }: Setting): CarriedPattern {
  const except = aim === 'wide' ? [] : toExceptions(place, glob.isFloating);
  const pattern = toText(place);
  return except.length === 0 ? { pattern } : { pattern, except };
}

/** A star that must not span `/` is excepted where it does; so is a name of the workspace itself where it stands deeper. */
function toExceptions(place: string, isFloating: boolean): string[] {
  const stars = [...place.matchAll(/\*/g)].filter(({ index }) => !(isFloating && index === 0));
  const spans = stars.map(({ index }) => toText(`${place.slice(0, index)}*/*${place.slice(index + 1)}`));
  const isAnchoredName = !isFloating && !place.includes('/') && !place.startsWith(spanning);
  return isAnchoredName ? [...spans, toText(`*/${place}`)] : spans;
}

function toText(place: string): string {
  const text = joinStars(place.replaceAll(spanning, '*'));
  // A tilde at the head is a name like any other there, and has to be told from a home here.
  return text.startsWith('~') ? `./${text}` : text;
}

function toNote(root: GitignoreRoot, aim: Aim): string | null {
  if (aim === 'narrow') return null;
  if (root === '//' || root === '~/')
    return 'also said of the same names in the workspace, as nobody knows here where that lies';
  return root === '/' ? 'said at any depth, as nobody knows here where it starts from' : null;
}
