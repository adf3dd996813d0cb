// Refuses a pattern that reads as if it said more than the one matcher understands, or that no target can ever match: a rule
// that silently matches nothing is worst where it was meant to deny.
import type { ActKind } from '../../shared/act.ts';
import { assertNever } from '../../shared/assert-never.ts';
import { findHostProblem } from './find-host-problem.ts';

/** Why the pattern cannot stand in a rule for acts of this kind, and what to write instead; null where it can. */
export function findPatternProblem(kind: ActKind, pattern: string): string | null {
  const common = findProblem(pattern, commonChecks);
  if (common !== null) return common;
  switch (kind) {
    case 'read':
    case 'write':
      return findProblem(pattern, [...globChecks, ...pathChecks]);
    case 'exec':
      return findProblem(pattern, globChecks) ?? findProblem(withoutQuoted(pattern), commandChecks);
    case 'net':
      return findHostProblem(pattern);
    default:
      return assertNever(kind);
  }
}

interface Check {
  readonly finds: RegExp;
  readonly problem: string;
}

const language =
  '`*` is any run of characters, `/` included, `?` is one character, and everything else stands for itself';

const commonChecks: readonly Check[] = [
  { finds: /^$/, problem: 'is empty: write `*` for everything' },
  { finds: /^.{1025}/su, problem: 'is longer than 1,024 characters' },
  { finds: /\p{Cc}/u, problem: 'holds a control character' },
  { finds: /\*\*/, problem: 'holds `**`: one `*` already spans `/`' },
];

const globChecks: readonly Check[] = [
  { finds: /^!/, problem: 'begins with `!`: a rule names what it means, and `except` what it does not' },
  { finds: /\\/, problem: 'holds a backslash: directories are divided by `/`, and nothing is escaped' },
  { finds: /[?*+@!]\(/, problem: `holds an extended glob: ${language}` },
  { finds: /[[\]{}]/, problem: `holds brackets or braces: ${language}` },
];

const pathChecks: readonly Check[] = [
  { finds: /^~/, problem: 'begins with `~`: write the absolute path of the home directory' },
  {
    finds: /^\.\/$|\/\.(\/|$)/,
    problem: 'holds `.` as a directory: paths are written from the workspace on, as in `src/a.ts` or `./a.ts`',
  },
  { finds: /(^|\/)\.\.(\/|$)/, problem: 'holds `..`: what lies outside the workspace is written as an absolute path' },
  { finds: /\/\//, problem: 'holds `//`: one `/` divides two names' },
  { finds: /\/$/, problem: 'ends with `/`: write `dir/*` for what is in a directory, `dir` for itself' },
];

const commandChecks: readonly Check[] = [
  { finds: /^ | $/, problem: 'begins or ends with a space' },
  { finds: /:\*$/, problem: 'ends with `:*`: write ` *` for whatever arguments come' },
  { finds: /^~/, problem: 'begins with `~`: write the absolute path of the home directory' },
  {
    finds: /"/,
    problem: "holds double quotes: a word is quoted with `'…'`, and only where a shell would take it for more",
  },
  { finds: / \d?(<|>|&>)/, problem: 'holds a redirect: its file is judged by itself, as one that is read or written' },
  { finds: / [|&]{1,2} |;( |$)/, problem: 'joins commands: each command of a line is judged by itself' },
];

function findProblem(pattern: string, checks: readonly Check[]): string | null {
  return checks.find(({ finds }) => finds.test(pattern))?.problem ?? null;
}

function withoutQuoted(pattern: string): string {
  return pattern.replace(/'[^']*'/g, "''");
}
