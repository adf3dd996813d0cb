// Puts a decision into words: what was decided, by what, and the nearest change that would alter it.
import type { Effect, ResolvedAct, Verdict } from '../../shared/act.ts';
import { assertNever } from '../../shared/assert-never.ts';
import type { AddressScope } from './classify-address.ts';
import type { PlacedRule } from './compile-policy.ts';
import type { Place } from './to-places.ts';

/** What decided about a place. */
export type Decision =
  | { readonly kind: 'rule'; readonly place: Place; readonly placed: PlacedRule }
  | { readonly kind: 'default'; readonly place: Place; readonly effect: Effect }
  /** It lies outside the workspace, and no rule speaks of there. */
  | { readonly kind: 'outside'; readonly place: Place }
  /** Nobody can tell from the text what it will do. */
  | { readonly kind: 'opaque'; readonly place: Place; readonly reason: string }
  /** It connects to no public address; `opener` is what a person has to name. */
  | {
      readonly kind: 'not-public';
      readonly place: Place;
      readonly scope: Exclude<AddressScope, 'public'>;
      readonly effect: 'ask' | 'deny';
      readonly opener: string;
    }
  /** Nobody can tell where it lies. */
  | { readonly kind: 'unplaced' };

/** The effect that a decision comes to. */
export function toEffect(decision: Decision): Effect {
  switch (decision.kind) {
    case 'rule':
      return decision.placed.rule.effect;
    case 'default':
    case 'not-public':
      return decision.effect;
    case 'opaque':
      return 'ask';
    case 'outside':
    case 'unplaced':
      return 'deny';
    default:
      return assertNever(decision);
  }
}

/** The verdict of a decision. Its sentences begin with the act and have no full stop, so that more can follow. */
export function toVerdict(act: ResolvedAct, decision: Decision): Verdict {
  const effect = toEffect(decision);
  switch (decision.kind) {
    case 'rule':
      return toRuleVerdict(act, decision.place, decision.placed);
    case 'default': {
      const because = `${toSubject(act, decision.place)} ${phrases[effect]} by default`;
      return {
        effect,
        rule: null,
        layer: 'default',
        origin: 'default',
        because,
        wouldChange: effect === 'allow' ? null : allowingRule,
      };
    }
    case 'outside': {
      const because = `${toSubject(act, decision.place)} is denied: it lies outside the workspace`;
      const wouldChange = `a rule that allows ${quote(decision.place.shown)} would change that${byPersons}`;
      return { effect, rule: null, layer: 'workspace', origin: 'built-in', because, wouldChange };
    }
    case 'not-public': {
      const because = `${toSubject(act, decision.place)} ${phrases[effect]}: it is an address of ${owners[decision.scope]}`;
      const wouldChange = toExactRemedy(decision.opener);
      return { effect, rule: null, layer: 'network', origin: 'built-in', because, wouldChange };
    }
    case 'opaque': {
      const because = `${toSubject(act, decision.place)} ${phrases[effect]}: ${decision.reason}`;
      return { effect, rule: null, layer: 'command-line', origin: 'built-in', because, wouldChange: plainCommand };
    }
    case 'unplaced':
      return toUnplacedVerdict(act);
    default:
      return assertNever(decision);
  }
}

const phrases: Readonly<Record<Effect, string>> = { allow: 'is allowed', ask: 'must be asked for', deny: 'is denied' };

const owners: Readonly<Record<Exclude<AddressScope, 'public'>, string>> = {
  loopback: 'this machine itself',
  private: 'a private network',
  'link-local': 'the link that this machine is on',
  metadata: 'what a cloud tells the machines in it alone',
  'carrier-grade': "a provider's own network",
  multicast: 'a group of machines',
  reserved: 'no public machine',
};

const byPersons = ', in the policy of the user, the project, the app or the run';
const allowingRule = `a rule that allows it would change that${byPersons}`;
const plainCommand = 'a command whose program and operands all stand there as plain words can be judged by rules';

function toRuleVerdict(act: ResolvedAct, place: Place, { layer, rule }: PlacedRule): Verdict {
  const { name, origin } = layer;
  const { effect, pattern, reason } = rule;
  const decision = `${toSubject(act, place)} ${phrases[effect]} by the rule "${pattern}" of the layer "${name}" (${origin})`;
  const because = reason === undefined ? decision : `${decision}: ${reason}`;
  return { effect, rule: pattern, layer: name, origin, because, wouldChange: toRemedy(place, { layer, rule }) };
}

function toRemedy({ shown }: Place, { layer, rule }: Pick<PlacedRule, 'layer' | 'rule'>): string | null {
  if (rule.effect === 'allow') return null;
  if (layer.isAnsweredByExactPath !== true || /[*?]/.test(shown)) return layer.remedy;
  return toExactRemedy(shown);
}

function toExactRemedy(text: string): string {
  return `a rule that allows exactly ${quote(text)} would change that${byPersons}`;
}

function toUnplacedVerdict(act: ResolvedAct): Verdict {
  const isOutside = act.kind !== 'exec' && act.kind !== 'net' && act.outside;
  const why = isOutside ? 'it is out of reach for every run' : 'it does not stay inside the workspace';
  return {
    effect: 'deny',
    rule: null,
    layer: 'workspace',
    origin: 'built-in',
    because: `${act.kind} of ${quote(act.target)} is denied: ${why}`,
    wouldChange: isOutside ? 'name another path' : 'name a path that does',
  };
}

function toSubject({ kind, target }: ResolvedAct, { shown }: Place): string {
  const subject = `${kind} of ${quote(target)}`;
  return shown === target ? subject : `${subject}, which is ${quote(shown)},`;
}

const maxShownLength = 240;

/** In quotes, with control characters escaped; the middle of a long one is left out. */
function quote(text: string): string {
  if (text.length <= maxShownLength) return JSON.stringify(text);
  return JSON.stringify(`${text.slice(0, maxShownLength - 40)} … ${text.slice(-37)}`);
}
