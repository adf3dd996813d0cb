// Which rule of an effect speaks of a place: its pattern takes the place in, none of its exceptions does, and the
// circumstances are those it was made for.
import type { Effect, LayerOrigin } from '../../shared/act.ts';
import type { CompiledPolicy, PlacedRule, RuleTable, RuleTables } from './compile-policy.ts';
import { foldLetterCase } from './fold-letter-case.ts';
import { isIsolatedEnough, weakestEnclosure } from './isolation.ts';
import { matchGlob } from './match-pattern.ts';
import { isAbsolutePattern, toComparedPattern, toPatternForm } from './pattern-form.ts';
import type { Circumstances, Rule } from './policy.ts';
import type { Place, Spellings } from './to-places.ts';

/** One place of an act, and the rules for acts of its kind. */
export interface Question {
  readonly tables: CompiledPolicy[keyof CompiledPolicy];
  readonly place: Place;
  readonly circumstances: Circumstances;
}

/** The first rule of this effect that speaks of the place and passes `isWanted`. */
export function findRule(
  question: Question,
  effect: Effect,
  isWanted?: (placed: PlacedRule) => boolean,
): PlacedRule | undefined {
  const { tables, place } = question;
  const accepts = (placed: PlacedRule) => speaks(placed, question) && (isWanted?.(placed) ?? true);
  const first = findInTable(tables[effect].exact, effect === 'allow' ? place.safe : place.all, accepts);
  if (place.folded === null) return first;
  return findInTable(tables[effect].folded, place.folded.spellings, accepts, first);
}

/**
 * Whether a person has opened what would be denied by default. Asks that others add (the built-in layers, the repository, an
 * agent's role) only narrow what is open already.
 */
export function isGranted(question: Question): boolean {
  const opens = ({ layer, rule }: PlacedRule) =>
    isPersons(layer.origin) && (question.place.kind !== 'outside' || isAbsolutePattern(rule.pattern));
  return (findRule(question, 'allow') ?? findRule(question, 'ask', opens)) !== undefined;
}

/** Whether a person allows this very host or address, by a rule that can mean no other. */
export function isAllowedByName(question: Question): boolean {
  const { tables, place } = question;
  const accepts = (placed: PlacedRule) => isPersons(placed.layer.origin) && speaks(placed, question);
  return (['host', 'host-port'] as const).some((form) =>
    place.all[form]?.some((text) => tables.allow.exact.get(form)?.findLiteral(text, accepts) !== undefined),
  );
}

const personOrigins: ReadonlySet<LayerOrigin> = new Set(['user', 'project', 'app', 'run']);

/** Whether rules of this origin were written, or answered, by people for themselves. */
export function isPersons(origin: LayerOrigin): boolean {
  return personOrigins.has(origin);
}

function findInTable(
  table: RuleTable,
  spellings: Spellings,
  accepts: (placed: PlacedRule) => boolean,
  limit?: PlacedRule,
): PlacedRule | undefined {
  let first = limit;
  for (const [form, index] of table) {
    for (const text of spellings[form] ?? []) first = index.findFirst(text, accepts, first);
  }
  return first;
}

function speaks({ rule, layer }: PlacedRule, question: Question): boolean {
  const { place, circumstances } = question;
  if (rule.when !== undefined && !circumstances.isTainted) return false;
  if (rule.when === 'tainted-unenclosed' && isIsolatedEnough(circumstances.isolation, weakestEnclosure)) return false;
  if (rule.effect === 'allow' && !isAllowInForce(rule, question)) return false;
  if (rule.effect === 'ask' && layer.isAnsweredByExactPath === true && isAnswered(question)) return false;
  return !(rule.except ?? []).some((pattern) => isExcepted(rule, pattern, place));
}

function isAllowInForce(rule: Rule, { place, circumstances }: Question): boolean {
  if (place.kind === 'outside' && !isAbsolutePattern(rule.pattern)) return false;
  return rule.isolation === undefined || isIsolatedEnough(circumstances.isolation, rule.isolation);
}

/** Whether a person allows this very path by a rule that can mean no other: no wildcard, and no bare name that lies elsewhere. */
function isAnswered(question: Question): boolean {
  const { tables, place } = question;
  if (place.kind !== 'inside' && place.kind !== 'outside') return false;
  const accepts = (placed: PlacedRule) => isPersons(placed.layer.origin) && speaks(placed, question);
  const names = ({ exact, folded }: RuleTables) =>
    findLiteral(exact, place.shown, accepts) ??
    (place.folded === null ? undefined : findLiteral(folded, place.folded.text, accepts));
  return names(tables.allow) !== undefined;
}

function findLiteral(table: RuleTable, path: string, accepts: (placed: PlacedRule) => boolean): PlacedRule | undefined {
  const named = path.includes('/') ? undefined : table.get('name')?.findLiteral(path, accepts);
  return named ?? table.get('path')?.findLiteral(path, accepts);
}

/** What is in doubt counts against the rule where it allows, and for it where it asks or denies. */
function isExcepted({ act, effect }: Rule, pattern: string, { all, safe, folded }: Place): boolean {
  const compared = toComparedPattern(act, pattern);
  const form = toPatternForm(act, pattern);
  if (isTakenIn(compared, (effect === 'allow' ? all : safe)[form])) return true;
  if (folded === null) return false;
  const foldedPattern = foldLetterCase(compared);
  return isTakenIn(foldedPattern, folded.spellings[form]);
}

function isTakenIn(pattern: string, texts: readonly string[] = []): boolean {
  return texts.some((text) => matchGlob(pattern, text));
}
