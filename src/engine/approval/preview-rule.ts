// What a rule would have meant for earlier acts, before a person has it remembered. It is read from the journal's list of
// acts and is an estimate in one respect: that list does not say which program a name meant, so it is taken for the system's.
import { ActKind, Effect, type LayerOrigin } from '../../shared/act.ts';
import type { Remember, RememberScope, RulePreview } from '../../shared/approval.ts';
import type { ActRow } from '../journal/journal.ts';
import { createRuleReach } from './rule-reach.ts';
import { toLikelyAct } from './to-likely-act.ts';

/** An act of an earlier run. */
export type PastAct = Pick<ActRow, 'act' | 'target' | 'effect' | 'layer'> & { readonly run: string };

const maxMatched = 10;

/** `acts` come newest first; they are looked at one by one and not kept. */
export function previewRule({ scope, rule }: Remember, acts: Iterable<PastAct>): RulePreview {
  const reach = createRuleReach(rule);
  const matched: RulePreview['matched'] = [];
  let matchedCount = 0;
  let newlyAllowed = 0;
  for (const { run, target, layer, ...row } of acts) {
    const kind = ActKind.safeParse(row.act).data;
    const effect = Effect.safeParse(row.effect).data;
    if (kind !== rule.act || effect === undefined) continue;
    const act = toLikelyAct(kind, target);
    if (!reach.speaksOf(act)) continue;
    matchedCount++;
    if (matched.length < maxMatched) matched.push({ run, act: kind, target, effect });
    if (reach.wouldAllow(act, { effect, layer })) newlyAllowed++;
  }
  return { matched, matchedCount, newlyAllowed, origin: origins[scope] };
}

const origins: Readonly<Record<RememberScope, LayerOrigin>> = { run: 'run', project: 'project', user: 'user' };
