// Command patterns of other tools, where `*` is any run of characters of the whole line. Here a pattern of one word means
// its program with whatever arguments, and words are quoted in one way only; both have to be made up for.
import { type Aim, type Carried, type CarriedPattern, exactly, joinStars, leftOut } from './carried-pattern.ts';
import { findPatternProblem } from './find-pattern-problem.ts';

/** Patterns for exec acts. */
export function carryCommandPattern(text: string, aim: Aim): Carried {
  const pattern = joinStars(text.trim().replace(/\s+/g, ' '));
  // Lines here have one space between words. To say of such a line what was said of another would be to say more.
  if (aim === 'narrow' && pattern !== joinStars(text)) return leftOut('it holds blanks that no line has here');
  if (isPlain(pattern)) return exactly(...toPatterns(pattern, aim));
  if (aim === 'narrow') return leftOut('it holds quotes or characters that mean something else in a pattern here');
  const loose = loosen(pattern);
  return { patterns: toPatterns(loose, aim), note: `said more widely as \`${loose}\`` };
}

/** Words that are never quoted, so that a line with them is written in one way. */
function isPlain(pattern: string): boolean {
  return /^[\w.,:@%+=/^*? -]+$/.test(pattern) && findPatternProblem('exec', pattern) === null;
}

/** What takes in at least as much and is plain: each odd word is anything, and so is all that follows a redirect or the like. */
function loosen(pattern: string): string {
  const [head = '', ...others] = pattern.split(/[<>|&;\p{Cc}]/u);
  const words = (others.length > 0 ? `${head.trimEnd()} *` : pattern).slice(0, 1000).split(/ +/);
  const loose = joinStars(words.map((word) => (isPlain(word) ? word : '*')).join(' ')).trim();
  return isPlain(loose) ? loose : '*';
}

function toPatterns(pattern: string, aim: Aim): CarriedPattern[] {
  if (pattern === '*') return [{ pattern }];
  if (!pattern.includes(' ')) return toOneWordPatterns(pattern, aim);
  if (aim === 'narrow' || !pattern.endsWith(' *')) return [{ pattern }];
  // A last star that stands alone may also be nothing, with the space before it.
  const bare = pattern.slice(0, -2);
  return bare.includes(' ') ? [{ pattern }, { pattern: bare }] : [{ pattern }, ...toOneWordPatterns(bare, aim)];
}

/** A star of the original may hold spaces, where the arguments begin. */
function toOneWordPatterns(pattern: string, aim: Aim): CarriedPattern[] {
  if (!pattern.includes('*')) return [{ pattern, except: [`${pattern} *`] }];
  if (/^[^*]*\*$/.test(pattern)) return [{ pattern }];
  const withArguments = [...pattern.matchAll(/\*/g)].map(({ index }) => ({
    pattern: `${pattern.slice(0, index)}* *${pattern.slice(index + 1)}`,
  }));
  return [aim === 'narrow' ? { pattern, except: ['* *'] } : { pattern }, ...withArguments];
}
