// Path patterns in the language of gitignore: `*` stays within a name, `**` does not, a pattern without `/` is found at any
// depth, and what is said of a directory holds for everything in it. Here `*` spans `/`, so what it would take in too much is
// excepted from an allow.
import { type Aim, type Carried, type CarriedPattern, joinStars, leftOut } from './carried-pattern.ts';
import { findPatternProblem } from './find-pattern-problem.ts';
import { type GitignoreGlob, parseGitignoreGlob, spanning } from './parse-gitignore-glob.ts';

/** Where a pattern starts from: the workspace (`''` and `./`), the settings (`/`), the root, or the home. */
type Root = Parameters<typeof parseGitignoreGlob>[1];

/** Patterns for read and write acts. */
export function carryGitignorePattern(text: string, aim: Aim): Carried {
  const { root, body } = splitRoot(text.trim());
  if (aim === 'narrow' && root === '~/') return leftOut('the home is not known here: write its absolute path');
  if (aim === 'narrow' && root === '/')
    return leftOut('where it starts from is not known here: write it from the workspace on');
  const glob = parseGitignoreGlob(aim === 'wide' ? loosen(body) : body, root);
  if (glob === null) return aim === 'narrow' ? leftOut('its wildcards cannot be said as narrowly') : everything;
  const patterns = glob.bodies.flatMap((each) => toPatterns(each, { glob, root, aim }));
  const usable = patterns.filter(({ pattern }) => findPatternProblem('read', pattern) === null);
  return {
    patterns: usable,
    note: usable.length < patterns.length ? 'it matches no path as it stands' : toNote(root, aim),
  };
}

const everything: Carried = { patterns: [{ pattern: '*' }], note: 'said more widely as `*`' };

function splitRoot(text: string): { readonly root: Root; readonly body: string } {
  for (const root of ['//', '~/', '/', './'] as const) {
    if (text.startsWith(root)) return { root, body: text.slice(root.length) };
  }
  return { root: '', body: text };
}

/** A star takes in whatever a class, a question mark or an escape did. */
function loosen(body: string): string {
  return body.replace(/\[[^\]]*\]|\\.|[?[\]{}\\!\p{Cc}]/gsu, '*');
}

interface Setting {
  readonly glob: GitignoreGlob;
  readonly root: Root;
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
  const pattern = joinStars(place.replaceAll(spanning, '*'));
  const except = aim === 'wide' ? [] : toExceptions(place, glob.isFloating);
  return except.length === 0 ? { pattern } : { pattern, except };
}

/** A star that must not span `/` is excepted where it does; so is a name of the workspace itself where it stands deeper. */
function toExceptions(place: string, isFloating: boolean): string[] {
  const toText = (text: string) => joinStars(text.replaceAll(spanning, '*'));
  const stars = [...place.matchAll(/\*/g)].filter(({ index }) => !(isFloating && index === 0));
  const spans = stars.map(({ index }) => toText(`${place.slice(0, index)}*/*${place.slice(index + 1)}`));
  const isAnchoredName = !isFloating && !place.includes('/') && !place.startsWith(spanning);
  return isAnchoredName ? [...spans, toText(`*/${place}`)] : spans;
}

function toNote(root: Root, aim: Aim): string | null {
  if (aim === 'narrow') return null;
  if (root === '//' || root === '~/')
    return 'also said of the same names in the workspace, as nobody knows here where that lies';
  return root === '/' ? 'said at any depth, as nobody knows here where it starts from' : null;
}
