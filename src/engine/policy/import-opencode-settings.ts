// Reads the permissions of opencode settings, where the last rule that matches decides. Here the strictest does: so whatever a
// later rule is laxer about is excepted from one that asks or denies, and a later `*` makes all before it void.
import { z } from 'zod';
import { Effect, strictness } from '../../shared/act.ts';
import { type Aim, type Carried, toAim } from './carried-pattern.ts';
import { carryCommandPattern } from './carry-command-pattern.ts';
import { carryUrlPattern } from './carry-url-pattern.ts';
import { carryWildcardPath } from './carry-wildcard-path.ts';
import { matchGlob } from './match-pattern.ts';
import type { PolicyFile } from './policy-file.ts';
import { type PolicyImport, toToolNote } from './policy-import.ts';
import { RuleCollector } from './rule-collector.ts';

const EffectByPattern = z.record(z.string(), Effect);
const EffectByTool = z.record(z.string(), z.union([Effect, EffectByPattern]));

export const OpencodeSettings = z.looseObject({
  permission: z.union([Effect, EffectByTool]).default({}),
  tools: z.record(z.string(), z.boolean()).default({}),
});
export type OpencodeSettings = z.infer<typeof OpencodeSettings>;

/** The same permissions as a policy, nowhere wider. */
export function importOpencodeSettings({ permission, tools, ...others }: OpencodeSettings): PolicyImport {
  const entries = toEntries({ permission, tools });
  const collector = new RuleCollector();
  const defaults: NonNullable<PolicyFile['defaults']> = {};
  for (const kind of kinds) {
    const effect = addKind(collector, kind, entries);
    if (effect === null) collector.note('permission', `what it does not name stays as it is here for ${kind.act}`);
    else defaults[kind.act] = effect;
  }
  noteUnlike(collector, entries);
  for (const key of Object.keys(others))
    if (key !== '$schema') collector.note(key, 'left out: it is no permission of the whole');
  const { rules, notes } = collector;
  return { source: 'opencode', policy: { layers: [{ name: 'opencode', rules }], defaults }, notes };
}

interface Entry {
  /** A pattern for names of tools. */
  readonly tool: string;
  readonly pattern: string;
  readonly effect: Effect;
  readonly setting: string;
}

/** In the order in which they stand; a tool that is switched off is denied at last. */
function toEntries({ permission, tools }: Pick<OpencodeSettings, 'permission' | 'tools'>): Entry[] {
  const byTool = typeof permission === 'string' ? { '*': permission } : permission;
  const named = Object.entries(byTool).flatMap(([tool, value]) =>
    Object.entries(typeof value === 'string' ? { '*': value } : value).map(([pattern, effect]): Entry => {
      return { tool, pattern, effect, setting: `permission.${tool} ${pattern}` };
    }),
  );
  const off = Object.keys(tools).filter((tool) => tools[tool] === false);
  const denied = off.map((tool): Entry => {
    return { tool: writingTools.has(tool) ? 'edit' : tool, pattern: '*', effect: 'deny', setting: `tools.${tool}` };
  });
  return [...named, ...denied];
}

const writingTools: ReadonlySet<string> = new Set(['write', 'patch', 'multiedit']);

interface Kind {
  readonly act: 'read' | 'write' | 'exec' | 'net';
  readonly tool: string;
  readonly carry: (pattern: string, aim: Aim) => Carried;
}

const kinds: readonly Kind[] = [
  { act: 'read', tool: 'read', carry: carryWildcardPath },
  { act: 'write', tool: 'edit', carry: carryWildcardPath },
  { act: 'exec', tool: 'bash', carry: carryCommandPattern },
  { act: 'net', tool: 'webfetch', carry: carryUrlPattern },
];

/** The effect where no rule matches; null when the settings do not say. */
function addKind(collector: RuleCollector, kind: Kind, entries: readonly Entry[]): Effect | null {
  const relevant = entries.filter((entry) => matchGlob(entry.tool, kind.tool));
  const last = relevant.findLastIndex(({ pattern }) => /^\*+$/.test(pattern));
  const fallback = relevant[last]?.effect ?? null;
  const rules = relevant.slice(last + 1);
  for (const [index, { effect, pattern, setting }] of rules.entries()) {
    // Over a default that denies, to ask is to open: it must not take in too much there.
    const aim = effect === 'ask' && fallback === 'deny' ? 'narrow' : toAim(effect);
    const exceptions = toExceptions(kind, effect, rules.slice(index + 1));
    collector.add({ act: kind.act, effect, setting }, kind.carry(pattern, aim), exceptions);
  }
  return fallback;
}

/**
 * What later rules take out of one with this effect. From an ask or a denial, only what is surely meant, and as nothing can be
 * excepted from an exception, only what needs none itself; from an allow, whatever might be meant.
 */
function toExceptions({ carry }: Kind, effect: Effect, later: readonly Entry[]): string[] {
  const others = later.filter((entry) =>
    effect === 'allow' ? entry.effect === 'ask' : strictness[entry.effect] < strictness[effect],
  );
  return others
    .flatMap(({ pattern }) => carry(pattern, effect === 'allow' ? 'wide' : 'narrow').patterns)
    .flatMap(({ pattern, except }) => (effect === 'allow' || except === undefined ? [pattern] : []));
}

const lookingTools: ReadonlySet<string> = new Set(['glob', 'grep', 'list']);

function noteUnlike(collector: RuleCollector, entries: readonly Entry[]): void {
  for (const { tool, setting } of entries) {
    if (tool === 'external_directory')
      collector.note(setting, 'left out: outside the workspace nothing is opened by an import');
    else if (!kinds.some((kind) => matchGlob(tool, kind.tool))) collector.note(setting, toToolNote(tool, lookingTools));
  }
}
