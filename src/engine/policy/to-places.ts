// Everything that one act touches, each with all the texts by which a rule can mean it. Places are judged apart and the
// strictest verdict stands, so that neither a link nor what it points to hides the other.
import type { ExecAct, NetAct, PathAct, ResolvedAct } from '../../shared/act.ts';
import { assertNever } from '../../shared/assert-never.ts';
import { foldLetterCase } from './fold-letter-case.ts';
import type { PatternForm } from './pattern-form.ts';

/** The texts that patterns of each form are tried on; a form that is not there matches nothing. */
export type Spellings = Readonly<Partial<Record<PatternForm, readonly string[]>>>;

export interface Place {
  /** As it is told to people. */
  readonly shown: string;
  /** Every way to mean it: what asks and denies is tried on all of them. */
  readonly all: Spellings;
  /** The ways that nobody else can take: what allows is tried on these alone. */
  readonly safe: Spellings;
  /** The whole path where letter case does not tell files apart, in the form in which they are compared. */
  readonly folded: { readonly text: string; readonly spellings: Spellings } | null;
  /** `outside`: only absolute patterns open it. `address`: what a host came to, which needs no permission of its own. */
  readonly kind: 'inside' | 'outside' | 'program' | 'host' | 'address';
}

/** The places of an act, the one it names first; null for a path that cannot be placed. */
export function toPlaces(act: ResolvedAct): readonly [Place, ...Place[]] | null {
  switch (act.kind) {
    case 'read':
    case 'write':
      return toPathPlaces(act);
    case 'exec':
      return [toProgramPlace(act)];
    case 'net':
      return toNetPlaces(act);
    default:
      return assertNever(act);
  }
}

function toPathPlaces(act: PathAct): readonly [Place, ...Place[]] | null {
  if (act.real === null) return null;
  const named = toPathPlace(act.target, act);
  return act.real === act.target ? [named] : [named, toPathPlace(act.real, act)];
}

function toPathPlace(path: string, { letterCase, outside }: PathAct): Place {
  const spellings = toPathSpellings(path);
  const text = letterCase === 'ignored' ? foldLetterCase(path) : null;
  return {
    shown: path,
    all: spellings,
    safe: spellings,
    folded: text === null ? null : { text, spellings: toPathSpellings(text) },
    kind: outside ? 'outside' : 'inside',
  };
}

function toPathSpellings(path: string): Spellings {
  const slash = path.lastIndexOf('/');
  return { name: slash === -1 ? [path] : [path, path.slice(slash + 1)], path: [path] };
}

/**
 * Its bare name means a program only where nothing else can go by that name; to ask or to deny, any likeness will do. Of a
 * text that nobody can see through, the whole text is one.
 */
function toProgramPlace({ target, program, opaque }: ExecAct): Place {
  const written = program?.written ?? target;
  const rest = target.startsWith(written) ? target.slice(written.length) : null;
  const real = program?.real ?? null;
  const safe = real === null ? [written] : [written, real];
  const names = program?.isSystem === true ? [toBasename(written)] : [];
  const likely = [...safe, ...safe.map(toBasename)];
  const all = [...new Set(opaque === null ? likely : [...likely, target])];
  const withRest = (heads: readonly string[]) => (rest === null ? [target] : heads.map((head) => `${head}${rest}`));
  return {
    shown: target,
    all: { name: all, path: all, 'name-line': withRest(all), 'path-line': withRest(all) },
    safe: { name: names, path: safe, 'name-line': rest === null ? [] : withRest(names), 'path-line': withRest(safe) },
    folded: null,
    kind: 'program',
  };
}

function toBasename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function toNetPlaces({ target, address }: NetAct): readonly [Place, ...Place[]] {
  const named = toNetPlace(target, 'host');
  return address === null || address === target ? [named] : [named, toNetPlace(address, 'address')];
}

export function toNetPlace(target: string, kind: 'host' | 'address'): Place {
  const compared = target.toLowerCase();
  const spellings: Spellings = { host: [toHost(compared)], 'host-port': [compared] };
  return { shown: target, all: spellings, safe: spellings, folded: null, kind };
}

/** The target of a net act without its port. */
export function toHost(target: string): string {
  const colon = target.lastIndexOf(':');
  return colon > target.lastIndexOf(']') ? target.slice(0, colon) : target;
}
