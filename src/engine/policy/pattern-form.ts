// How a pattern is to be read, which follows from its kind of act and from what stands in it. Each form is tried on
// spellings of its own (see `toPlaces`).
import type { ActKind } from '../../shared/act.ts';
import { assertNever } from '../../shared/assert-never.ts';

export type PatternForm =
  /** A bare name: also the last part of a path, or a program by its name. */
  | 'name'
  /** A path, or a program by where it lies. */
  | 'path'
  /** A program by its name, with its arguments. */
  | 'name-line'
  /** A program by where it lies, with its arguments. */
  | 'path-line'
  /** A host, at whatever port. */
  | 'host'
  | 'host-port';

/** The form of a pattern for acts of this kind. */
export function toPatternForm(kind: ActKind, pattern: string): PatternForm {
  switch (kind) {
    case 'read':
    case 'write':
      return pattern.includes('/') ? 'path' : 'name';
    case 'exec':
      return toExecForm(pattern);
    case 'net':
      return pattern.lastIndexOf(':') > pattern.lastIndexOf(']') ? 'host-port' : 'host';
    default:
      return assertNever(kind);
  }
}

/** A star at the head is any program, wherever it lies; `git*` is one whose name begins so, not `gitlike/x`. */
function toExecForm(pattern: string): PatternForm {
  const space = pattern.indexOf(' ');
  const program = space === -1 ? pattern : pattern.slice(0, space);
  const isPath = program.includes('/') || program.startsWith('*');
  if (space === -1) return isPath ? 'path' : 'name';
  return isPath ? 'path-line' : 'name-line';
}

/** The pattern as it is compared: hosts have no letter case, and `./` at the head of a path only says that it is no bare name. */
export function toComparedPattern(kind: ActKind, pattern: string): string {
  switch (kind) {
    case 'read':
    case 'write':
      return pattern.startsWith('./') ? pattern.slice(2) : pattern;
    case 'exec':
      return pattern;
    case 'net':
      return pattern.toLowerCase();
    default:
      return assertNever(kind);
  }
}

/** Whether it speaks of what lies outside the workspace. */
export function isAbsolutePattern(pattern: string): boolean {
  return /^(\/|[A-Za-z]:\/)/.test(pattern);
}
