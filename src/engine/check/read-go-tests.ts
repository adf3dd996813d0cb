// Reads from a Go test file what a gate must know of it without running it: its package and its tests.

export interface GoTests {
  /** Null for a text that is no Go file. */
  readonly packageName: string | null;
  /** The names of its test functions. */
  readonly names: readonly string[];
  /** Every word that the code uses. */
  readonly words: ReadonlySet<string>;
}

export function readGoTests(source: string): GoTests {
  const code = withoutTexts(source);
  return {
    packageName: /^\s*package\s+([\p{L}_][\p{L}\p{N}_]*)/u.exec(code)?.[1] ?? null,
    names: [...code.matchAll(testFunction)].flatMap(([, name]) => name ?? []),
    words: new Set(code.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []),
  };
}

/** A test's name goes on with anything but a small letter, and it takes the runner's handle and nothing else. */
const testFunction =
  /^func\s+(Test(?!\p{Ll})[\p{L}\p{N}_]*)\s*\(\s*[\p{L}_][\p{L}\p{N}_]*\s+\*\s*[\p{L}_][\p{L}\p{N}_]*\.T\s*\)/gmu;

/** The code alone: comments and texts hold words that mean nothing. */
function withoutTexts(source: string): string {
  return source.replace(texts, (text) => (text.startsWith('/') ? ' ' : '""').concat(text.replace(/[^\n]/g, '')));
}

const texts = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|`[^`]*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
