// What a rule is about, whatever its effect and its spelling: two rules about the same that differ in effect contradict each other.
import { toComparedPattern, toPatternForm } from './pattern-form.ts';
import type { FileRule } from './policy-file.ts';

/** Equal for two rules that are about the same. */
export function toRuleSubject({ act, pattern, except = [], when }: Omit<FileRule, 'effect'>): string {
  const forms = [pattern, ...except].map((each) => [toPatternForm(act, each), toComparedPattern(act, each)]);
  return JSON.stringify([act, forms, when ?? null]);
}
