// Gathers what an import comes to: the rules of one layer, and a note on each setting that was not carried over as it stood.
import { type ActKind, type Effect, strictness } from '../../shared/act.ts';
import type { Carried } from './carried-pattern.ts';
import type { FileRule } from './policy-file.ts';
import type { ImportNote } from './policy-import.ts';
import { toRuleSubject } from './to-rule-subject.ts';

export interface RuleSource {
  readonly act: ActKind;
  readonly effect: Effect;
  /** The setting it comes from, for the note. */
  readonly setting: string;
}

export class RuleCollector {
  readonly #rules = new Map<string, FileRule>();
  readonly notes: ImportNote[] = [];

  /** `exceptions` are left out of every rule besides those of its own pattern. */
  add({ act, effect, setting }: RuleSource, { patterns, note }: Carried, exceptions: readonly string[] = []): void {
    if (note !== null) this.note(setting, patterns.length === 0 ? `left out: ${note}` : note);
    for (const { pattern, except = [] } of patterns) {
      const all = [...except, ...exceptions];
      this.#keepStricter({ act, effect, pattern, ...(all.length === 0 ? {} : { except: all }) });
    }
  }

  note(setting: string, reason: string): void {
    this.notes.push({ setting, reason });
  }

  get rules(): FileRule[] {
    return [...this.#rules.values()];
  }

  /** Of two rules about the same the stricter decides anyway, and a file that holds both is refused. */
  #keepStricter(rule: FileRule): void {
    const subject = toRuleSubject(rule);
    const known = this.#rules.get(subject);
    if (known === undefined || strictness[rule.effect] > strictness[known.effect]) this.#rules.set(subject, rule);
  }
}
