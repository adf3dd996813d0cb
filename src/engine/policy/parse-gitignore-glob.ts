// The parts of a pattern in the language of gitignore, so far as they can be said here. Where one and the same pattern is read
// in different ways by different tools, it is not read at all.

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

/** Where a pattern starts from: the workspace (`''` and `./`), the settings (`/`), the root, or the home. */
export type GitignoreRoot = '' | './' | '/' | '//' | '~/';

/** Null for what cannot be said with stars alone. */
export function parseGitignoreGlob(body: string, root: GitignoreRoot): GitignoreGlob | null {
  if (!isPlain(body)) return null;
  const names = body.replace(/\/$/, '').split('/');
  const isDirectory = body.endsWith('/');
  const start = names.findIndex((name) => name !== '**');
  if (start === -1) return toUnnamed(names.length > 1 || isDirectory);
  const end = names.findLastIndex((name) => name !== '**') + 1;
  // `a/**/` means the directories in `a`, so what is in them, as `a/*/` does.
  const isDeeper = isDirectory && end < names.length;
  const core = [...names.slice(start, end), ...(isDeeper ? ['*'] : [])];
  const isContents = isDirectory || end < names.length;
  if (core.length === 1 && /^\*+$/.test(core[0] ?? '')) return toUnnamed(isContents);
  const bodies = toBodies(core);
  return bodies && { bodies, isFloating: start > 0 || (root === '' && names.length === 1), isContents };
}

/** No wildcard besides stars, no comment, no name that is empty, and no `**` after another: nobody agrees on what they mean. */
function isPlain(body: string): boolean {
  return !/[?[\]{}\\!\p{Cc}]|^#|^\/|\/\/|\*\*\/\*\*(\/|$)|^$/u.test(body);
}

/** Any directory stands for what is in it, so for any path that has a directory; anything else, for everything. */
function toUnnamed(isContents: boolean): GitignoreGlob {
  return { bodies: [isContents ? `${spanning}/${spanning}` : spanning], isFloating: true, isContents: false };
}

const maxMiddles = 3;

/** Null where it would be too many. */
function toBodies(names: readonly string[]): string[] | null {
  const text = names.map((name) => (name === '**' ? name : name.replace(/\*+/g, '*'))).join('/');
  // Everything right in a directory is everything below it, as a directory stands for all that is in it.
  const [head = '', ...others] = text.replace(/\/\*$/, `/${spanning}`).split(/\/(?:\*\*\/)+/);
  if (others.length > maxMiddles) return null;
  return others.reduce(
    (heads, other) => heads.flatMap((each) => [`${each}/${other}`, `${each}/${spanning}/${other}`]),
    [head],
  );
}
