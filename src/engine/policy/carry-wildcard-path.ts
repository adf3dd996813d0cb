// Path patterns in which `*` is any run of characters, `/` included, as here; but a pattern without `/` means a path in the
// workspace's own directory, and here also the last part of a longer one.
import { type Aim, type Carried, type CarriedPattern, exactly, joinStars, leftOut } from './carried-pattern.ts';
import { findPatternProblem } from './find-pattern-problem.ts';

/** Patterns for read and write acts. */
export function carryWildcardPath(text: string, aim: Aim): Carried {
  const written = joinStars(text.replaceAll('\\', '/'));
  // A last star that stands alone may also be nothing, with the space before it.
  const path = aim === 'wide' ? written.replace(/ \*$/, '*') : written;
  const [, inHome = null] = /^(?:~|\$HOME)\/(.*)$/s.exec(path) ?? [];
  if (inHome !== null && aim === 'narrow') return leftOut('the home is not known here: write its absolute path');
  if (inHome !== null)
    return {
      patterns: [`/*/${inHome}`, inHome, `*/${inHome}`].map((each) => ({ pattern: loosen(each) })),
      note: anywhere,
    };
  if (path.startsWith('/')) return carryAbsolute(path, aim);
  if (aim === 'narrow' && path.startsWith('./')) return leftOut('no path begins so there: write it without `./`');
  if (findPatternProblem('read', path) === null) return exactly(toPattern(path, aim));
  if (aim === 'narrow') return leftOut('it holds characters that mean something else in a pattern here');
  return { patterns: [{ pattern: loosen(path) }], note: `said more widely as \`${loosen(path)}\`` };
}

const anywhere = 'also said of the same names in the workspace, as nobody knows here where that lies';

function carryAbsolute(path: string, aim: Aim): Carried {
  if (aim === 'narrow') return leftOut('nothing outside the workspace is opened by an import');
  const names = loosen(path).split('/');
  const tails = names.slice(1).map((_, index) => names.slice(index + 1).join('/'));
  const usable = [loosen(path), ...tails].filter((pattern) => findPatternProblem('read', pattern) === null);
  return { patterns: usable.map((pattern) => ({ pattern })), note: anywhere };
}

function toPattern(pattern: string, aim: Aim): CarriedPattern {
  const isName = !pattern.includes('/') && !pattern.startsWith('*');
  return aim === 'narrow' && isName ? { pattern, except: [`*/${pattern}`] } : { pattern };
}

/** Takes in at least as much, and can be said here. */
function loosen(path: string): string {
  const loose = joinStars(path.slice(0, 1000).replace(/[[\]{}!~+@\p{Cc}]/gu, '*'));
  return findPatternProblem('read', loose) === null ? loose : '*';
}
