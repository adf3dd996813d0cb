// Puts a Rust subject and the test of a contract into one crate in such a way that the subject cannot speak for the test.
// Each file is parsed on its own, so an unfinished attribute, bracket or comment swallows nothing that follows. The test
// stands before the subject, where the subject's macros do not reach, and takes the assertion macros from a module that
// names the standard ones; a subject that exports its own under those names does not compile.
import { randomBytes } from 'node:crypto';

export interface RustTestCrate {
  readonly root: string;
  readonly test: string;
  /** What the names of the contract's tests begin with. The subject has no way to know it before it runs. */
  readonly testModule: string;
}

const standardMacros =
  'assert, assert_eq, assert_ne, debug_assert, debug_assert_eq, debug_assert_ne, matches, panic, todo, unimplemented, unreachable';

/** The crate's root and its test file `testFile`; `subjects` are paths from the root, in order. */
export function composeRustTest(subjects: readonly string[], testSource: string, testFile: string): RustTestCrate {
  const testModule = `tests_${randomBytes(12).toString('hex')}`;
  const standardModule = `standard_${randomBytes(12).toString('hex')}`;
  const root = [
    '#[allow(unused_imports)] use ::std::{assert, assert_eq, assert_ne};',
    `mod ${standardModule} { pub use ::std::{${standardMacros}}; pub use ::std::prelude::v1::test; }`,
    `#[path = ${JSON.stringify(testFile)}] mod ${testModule};`,
    ...subjects.map((path) => `include!(${JSON.stringify(path)});`),
    '',
  ].join('\n');
  return { root, test: `use super::${standardModule}::*; use super::*; ${testSource}\n`, testModule };
}

/**
 * The source with what may stand only at the top of a crate made harmless: inner doc comments become plain ones, lint
 * levels go. Any other inner attribute stays, and the compiler refuses it: one of them could configure the crate away.
 */
export function toIncludable(source: string): string {
  let at = 0;
  let result = '';
  for (;;) {
    const piece = readLeadingPiece(source, at);
    if (piece === '') return result + source.slice(at);
    result += toHarmless(piece);
    at += piece.length;
  }
}

/** The blank, comment or lint attribute that begins at `at`; empty where the first item does. */
function readLeadingPiece(source: string, at: number): string {
  if (source.startsWith('/*', at)) return readBlockComment(source, at);
  leadingPiece.lastIndex = at;
  return leadingPiece.exec(source)?.[0] ?? '';
}

const leadingPiece = /\s+|\/\/[^\n]*|#!\[\s*(?:allow|warn|deny|forbid|expect)\s*\([\w\s:,]*\)\s*\]/y;

/** Block comments nest in Rust; one that never ends is left to the compiler. */
function readBlockComment(source: string, start: number): string {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const pair = source.slice(at, at + 2);
    if (pair === '/*') depth++;
    if (pair === '*/') depth--;
    if (pair === '/*' || pair === '*/') at++;
    if (depth === 0) return source.slice(start, at + 1);
  }
  return '';
}

/** Same length and lines, so that the compiler's messages point to the right place. */
function toHarmless(piece: string): string {
  if (piece.startsWith('#!')) return piece.replace(/\S/g, ' ');
  return piece.replace(/^(\/\/|\/\*)!/, '$1 ');
}
