// What is wrong with a pattern that somebody wants to have remembered: it must be one that a policy file may hold, and it
// must not speak of everything.
import type { ActKind } from '../../shared/act.ts';
import { findPatternProblem } from '../policy/find-pattern-problem.ts';

/** A sentence for people without its full stop; null for a pattern without fault. */
export function findRuleFault({ act, pattern }: { readonly act: ActKind; readonly pattern: string }): string | null {
  const problem = findPatternProblem(act, pattern);
  if (problem !== null) return `the pattern ${problem}`;
  return saysSomething(act, pattern) ? null : 'the pattern takes in everything';
}

/** A letter or digit has to stand where it counts: in the name of a program or host, or somewhere in a path. */
function saysSomething(act: ActKind, pattern: string): boolean {
  const head = act === 'exec' ? pattern.split(' ')[0] : act === 'net' ? pattern.replace(/:[^:\]]*$/, '') : pattern;
  return /[\p{L}\p{N}]/u.test(head ?? '');
}
