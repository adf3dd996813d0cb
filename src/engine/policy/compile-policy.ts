// A policy arranged so that a verdict costs a few look-ups instead of a walk over every rule. Made once for each policy
// object and kept as long as that lives: whoever holds a policy should hold on to it, not to a copy.
import type { ActKind, Effect } from '../../shared/act.ts';
import { foldLetterCase } from './fold-letter-case.ts';
import { type PatternForm, toComparedPattern, toPatternForm } from './pattern-form.ts';
import { PatternIndex } from './pattern-index.ts';
import type { Layer, Policy, Rule } from './policy.ts';

/** A rule in its place: lower orders are reported first. */
export interface PlacedRule {
  readonly order: number;
  readonly layer: Layer;
  readonly rule: Rule;
}

/** The rules of one kind of act and one effect, by the form of their patterns. */
export type RuleTable = ReadonlyMap<PatternForm, PatternIndex<PlacedRule>>;

/** For files that differ in letter case, and for volumes where that makes no difference. */
export interface RuleTables {
  readonly exact: RuleTable;
  readonly folded: RuleTable;
}

export type CompiledPolicy = Readonly<Record<ActKind, Readonly<Record<Effect, RuleTables>>>>;

const compiled = new WeakMap<Policy, CompiledPolicy>();

/** The tables of a policy, from the second time on without any work. */
export function compilePolicy(policy: Policy): CompiledPolicy {
  const known = compiled.get(policy);
  if (known !== undefined) return known;
  const tables = toTables(policy);
  compiled.set(policy, tables);
  return tables;
}

function toTables({ layers }: Policy): CompiledPolicy {
  let order = 0;
  const placed = layers.flatMap((layer) => layer.rules.map((rule): PlacedRule => ({ order: order++, layer, rule })));
  const byEffect = (kind: ActKind) => {
    const toEntry = (effect: Effect) =>
      toRuleTables(() => placed.filter(({ rule }) => rule.act === kind && rule.effect === effect));
    return { allow: toEntry('allow'), ask: toEntry('ask'), deny: toEntry('deny') };
  };
  return { read: byEffect('read'), write: byEffect('write'), exec: byEffect('exec'), net: byEffect('net') };
}

/** Each table is made when it is first looked at: many policies are asked about one kind of act, or only once. */
function toRuleTables(select: () => readonly PlacedRule[]): RuleTables {
  let exact: RuleTable | undefined;
  let folded: RuleTable | undefined;
  return {
    get exact() {
      exact ??= toRuleTable(select(), (pattern) => pattern);
      return exact;
    },
    get folded() {
      folded ??= toRuleTable(select(), foldLetterCase);
      return folded;
    },
  };
}

function toRuleTable(rules: readonly PlacedRule[], toText: (pattern: string) => string): RuleTable {
  const table = new Map<PatternForm, PatternIndex<PlacedRule>>();
  for (const placed of rules) {
    const { act, pattern } = placed.rule;
    const text = toText(toComparedPattern(act, pattern));
    const form = toPatternForm(act, pattern);
    const index = table.get(form) ?? new PatternIndex<PlacedRule>();
    table.set(form, index);
    index.add(text, placed);
  }
  return table;
}
