// The parts of a pattern in the language of gitignore, so far as they can be said here.

/** Stands for a star that spans `/`, until a pattern is put together: a plain one stays within a name. */
export const spanning = '\u0001';

export interface GitignoreGlob {
  /** A pattern with `**` in its middle has alternatives: nothing may stand there, or any directories. */
  readonly bodies: readonly string[];
  /** It is found at any depth. */
  readonly isFloating: boolean;
  /** It means what is in a directory, and not the directory. */
  readonly isContents: boolean;
}

const maxMiddles = 3;

/** Null for what cannot be said with stars alone. */
export function parseGitignoreGlob(body: string, root: '' | './' | '/' | '//' | '~/'): GitignoreGlob | null {
  if (body === '' || /[?[\]{}\\!\p{Cc}]/u.test(body)) return null;
  const headless = body.replace(/^(\*\*\/)+/, '');
  const core = headless.replace(/(\/\*\*)*\/?$/, '');
  if (/^\**$/.test(core)) return toUnnamed(body);
  const isFloating = headless !== body || (root === '' && !body.replace(/\/$/, '').includes('/'));
  // Everything right in a directory is everything below it, as a directory stands for all that is in it.
  const [head = '', ...middles] = core.replace(/\/\*$/, `/${spanning}`).split('/**/');
  if (middles.length > maxMiddles) return null;
  const bodies = middles.reduce(
    (heads, middle) => heads.flatMap((each) => [`${each}/${middle}`, `${each}/${spanning}/${middle}`]),
    [head.replace(/\*+/g, '*')],
  );
  return { bodies, isFloating, isContents: core !== headless };
}

/** Any directory stands for what is in it, so for any path that has a directory; anything else, for everything. */
function toUnnamed(body: string): GitignoreGlob {
  const path = body.endsWith('/') ? `${spanning}/${spanning}` : spanning;
  return { bodies: [path], isFloating: true, isContents: false };
}
