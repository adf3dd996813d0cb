// What a verdict has to be, as a plain walk over all rules: slow, and short enough to be believed.

import { foldLetterCase } from '../../src/engine/policy/fold-letter-case.ts';
import { isIsolatedEnough } from '../../src/engine/policy/isolation.ts';
import { matchGlob } from '../../src/engine/policy/match-pattern.ts';
import type { Circumstances, Layer, Policy, Rule } from '../../src/engine/policy/policy.ts';
import { type Effect, type ExecAct, type NetAct, type ResolvedAct, strictness } from '../../src/shared/act.ts';

export interface ReferenceVerdict {
  readonly effect: Effect;
  readonly rule: string | null;
  readonly layer: string;
}

type Matches = (pattern: string, effect: Effect) => boolean;

interface Placed {
  readonly layer: Layer;
  readonly rule: Rule;
}

const denied = (layer: string): ReferenceVerdict => ({ effect: 'deny', rule: null, layer });

export function evaluateByReference(policy: Policy, act: ResolvedAct, circumstances: Circumstances): ReferenceVerdict {
  const judge = (path: string | null, matches: Matches) => judgePlace(policy, { act, path, matches, ...circumstances });
  switch (act.kind) {
    case 'read':
    case 'write': {
      if (act.real === null) return denied('workspace');
      const [named, real] = [act.target, act.real].map((path) => judge(path, matchesPath(path, act.letterCase)));
      if (named === undefined || real === undefined) throw new TypeError('a place is missing');
      return stricter(named, real);
    }
    case 'exec':
      return judge(null, matchesProgram(act));
    case 'net': {
      const named = judge(null, matchesHost(act.target));
      if (act.address === null) return named;
      // An address needs no permission of its own: only what asks about it or denies it counts.
      const defaults = { ...policy.defaults, net: 'allow' } as const;
      const address = judgePlace(
        { ...policy, defaults },
        { act, path: null, matches: matchesHost(act.address), ...circumstances },
      );
      const told = address.effect === 'allow' ? named : stricter(named, address);
      return stricter(told, judgeUnnamed(policy, act, circumstances));
    }
  }
}

/** Of an address that is not public: whether somebody has opened it by its name. */
function judgeUnnamed(policy: Policy, act: NetAct, circumstances: Circumstances): ReferenceVerdict {
  const fine: ReferenceVerdict = { effect: 'allow', rule: null, layer: 'network' };
  const { target, address } = act;
  if (address === null || address === '1.2.3.4:1') return fine;
  const isOpen = target === address || address.startsWith('10.') || target === 'localhost:1';
  const names = (text: string) =>
    policy.layers.some((layer) =>
      layer.rules.some(
        (rule) =>
          rule.effect === 'allow' &&
          isPersons(layer) &&
          !/[*?]/.test(rule.pattern) &&
          speaks(rule, { act, path: null, matches: matchesHost(text), ...circumstances }, false),
      ),
    );
  if (names(address) || (isOpen && names(target))) return fine;
  return { ...fine, effect: isOpen ? 'ask' : 'deny' };
}

function stricter(first: ReferenceVerdict, second: ReferenceVerdict): ReferenceVerdict {
  const difference = strictness[second.effect] - strictness[first.effect];
  return difference > 0 || (difference === 0 && first.rule === null && second.rule !== null) ? second : first;
}

interface Question extends Circumstances {
  readonly act: ResolvedAct;
  readonly path: string | null;
  readonly matches: Matches;
}

function judgePlace(policy: Policy, question: Question): ReferenceVerdict {
  const { act, path } = question;
  const isOutside = (act.kind === 'read' || act.kind === 'write') && act.outside;
  const all = policy.layers.flatMap((layer) => layer.rules.map((rule): Placed => ({ layer, rule })));
  const inForce = all.filter(({ rule }) => speaks(rule, question, isOutside));
  const isAnswered = inForce.some(
    ({ layer, rule }) => rule.effect === 'allow' && isPersons(layer) && isExactly(rule.pattern, path, act),
  );
  const speaking = inForce.filter(
    ({ layer, rule }) => !(rule.effect === 'ask' && layer.isAnsweredByExactPath === true && isAnswered),
  );
  const first = (effect: Effect) => speaking.find(({ rule }) => rule.effect === effect);
  const opens = ({ layer, rule }: Placed) =>
    rule.effect === 'allow' ||
    (rule.effect === 'ask' && isPersons(layer) && (!isOutside || rule.pattern.startsWith('/')));

  const toVerdict = ({ layer, rule }: Placed) => ({ effect: rule.effect, rule: rule.pattern, layer: layer.name });
  const deny = first('deny');
  if (deny !== undefined) return toVerdict(deny);
  const fallback = isOutside ? 'deny' : policy.defaults[act.kind];
  if (fallback === 'deny' && !speaking.some(opens)) return denied(isOutside ? 'workspace' : 'default');
  const ask = first('ask');
  if (ask !== undefined) return toVerdict(ask);
  if (act.kind === 'exec' && act.opaque !== null) return { effect: 'ask', rule: null, layer: 'command-line' };
  const allow = first('allow');
  return allow === undefined ? { effect: fallback, rule: null, layer: 'default' } : toVerdict(allow);
}

function isPersons({ origin }: Layer): boolean {
  return origin === 'user' || origin === 'project' || origin === 'app' || origin === 'run';
}

function isExactly(pattern: string, path: string | null, act: ResolvedAct): boolean {
  if (path === null || /[*?]/.test(pattern)) return false;
  const isFolded = (act.kind === 'read' || act.kind === 'write') && act.letterCase === 'ignored';
  return pattern === path || (isFolded && foldLetterCase(pattern) === foldLetterCase(path));
}

function speaks(rule: Rule, { act, matches, isTainted, isolation }: Question, isOutside: boolean): boolean {
  if (rule.act !== act.kind || !matches(rule.pattern, rule.effect)) return false;
  if (rule.when === 'tainted' && !isTainted) return false;
  if (rule.effect === 'allow') {
    if (isOutside && !rule.pattern.startsWith('/')) return false;
    if (rule.isolation !== undefined && !isIsolatedEnough(isolation, rule.isolation)) return false;
  }
  const doubt = rule.effect === 'allow' ? 'deny' : 'allow';
  return !(rule.except ?? []).some((pattern) => matches(pattern, doubt));
}

function matchesPath(path: string, letterCase: 'exact' | 'ignored'): Matches {
  return (pattern) =>
    matchesPart(pattern, path) ||
    (letterCase === 'ignored' && matchesPart(foldLetterCase(pattern), foldLetterCase(path)));
}

function matchesPart(pattern: string, path: string): boolean {
  return (
    matchGlob(pattern.replace(/^\.\//, ''), path) ||
    (!pattern.includes('/') && matchGlob(pattern, path.replace(/^.*\//s, '')))
  );
}

function matchesProgram({ target, program, opaque }: ExecAct): Matches {
  const written = program?.written ?? target;
  const real = program?.real ?? null;
  const lies = real === null ? [written] : [written, real];
  const basename = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const likely = [...lies, ...lies.map(basename), ...(opaque === null ? [] : [target])];
  return (pattern, effect) => {
    const [head = ''] = pattern.split(' ');
    const isName = !head.includes('/') && !head.startsWith('*');
    const names = program?.isSystem === true ? [basename(written)] : [];
    const heads = effect !== 'allow' ? likely : isName ? names : lies;
    if (!pattern.includes(' ')) return heads.some((each) => matchGlob(pattern, each));
    if (target.startsWith(written))
      return heads.some((each) => matchGlob(pattern, each + target.slice(written.length)));
    return (effect !== 'allow' || !isName) && matchGlob(pattern, target);
  };
}

function matchesHost(target: string): Matches {
  const compared = target.toLowerCase();
  const host = compared.replace(/:[^:\]]*$/, '');
  return (pattern) => {
    const isPorted = /:[^:\]]*$/.test(pattern);
    return matchGlob(pattern.toLowerCase(), isPorted ? compared : host);
  };
}
