// Reads the permissions of Claude-style settings: there too a deny wins over an ask, and that over an allow, whatever is more
// specific, so each rule is carried over by itself.
import { z } from 'zod';
import type { ActKind, Effect } from '../../shared/act.ts';
import { type Carried, exactly, leftOut, toAim } from './carried-pattern.ts';
import { carryCommandPattern } from './carry-command-pattern.ts';
import { carryGitignorePattern } from './carry-gitignore-pattern.ts';
import { findPatternProblem } from './find-pattern-problem.ts';
import type { PolicyDefaults } from './policy.ts';
import { type PolicyImport, toToolNote } from './policy-import.ts';
import { RuleCollector } from './rule-collector.ts';

const Mode = z.enum(['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions']);
type Mode = z.infer<typeof Mode>;

export const ClaudeSettings = z.looseObject({
  permissions: z.looseObject({
    allow: z.array(z.string()).default([]),
    ask: z.array(z.string()).default([]),
    deny: z.array(z.string()).default([]),
    defaultMode: Mode.default('default'),
  }),
});
export type ClaudeSettings = z.infer<typeof ClaudeSettings>;

/** The same permissions as a policy, nowhere wider. */
export function importClaudeSettings({ permissions, ...others }: ClaudeSettings): PolicyImport {
  const { allow, ask, deny, defaultMode, ...unknown } = permissions;
  const collector = new RuleCollector();
  // Where nobody is ever asked, what would be asked about is refused.
  const asked = defaultMode === 'dontAsk' ? 'deny' : 'ask';
  const addAll = (effect: Effect, rules: readonly string[], list: string) => {
    for (const [index, rule] of rules.entries())
      addRule(
        collector,
        effect === 'allow' && takesBack(rule) ? asked : effect,
        rule,
        `permissions.${list}[${index}] ${rule}`,
      );
  };
  addAll('deny', deny, 'deny');
  addAll(asked, ask, 'ask');
  addAll('allow', allow, 'allow');
  if (defaultMode === 'plan') addPlanMode(collector);
  noteMode(collector, defaultMode);
  for (const key of Object.keys(unknown))
    collector.note(`permissions.${key}`, 'left out: there is nothing like it here');
  for (const key of Object.keys(others)) if (key !== '$schema') collector.note(key, 'left out: it is no permission');
  const { rules, notes } = collector;
  return {
    source: 'claude',
    policy: { layers: [{ name: 'claude', rules }], defaults: defaultsOf[defaultMode] },
    notes,
  };
}

const careful: PolicyDefaults = { read: 'allow', write: 'ask', exec: 'ask', net: 'ask' };
const closed: PolicyDefaults = { read: 'allow', write: 'deny', exec: 'deny', net: 'deny' };

const defaultsOf: Readonly<Record<Mode, PolicyDefaults>> = {
  default: careful,
  acceptEdits: { ...careful, write: 'allow' },
  plan: closed,
  auto: careful,
  dontAsk: closed,
  bypassPermissions: careful,
};

/** There, whatever is allowed otherwise, nothing is changed and nothing is run. */
function addPlanMode(collector: RuleCollector): void {
  const setting = 'permissions.defaultMode plan';
  for (const act of ['write', 'exec', 'net'] as const) collector.add({ act, effect: 'deny', setting }, everything);
}

function noteMode(collector: RuleCollector, mode: Mode): void {
  if (mode === 'auto' || mode === 'bypassPermissions')
    collector.note(`permissions.defaultMode ${mode}`, 'said more strictly: what no rule speaks of is asked about');
}

/** Some read `!` as in gitignore, where it takes out of a list what is in it otherwise. */
function takesBack(rule: string): boolean {
  return /^\s*(Read|Edit)\(\s*(\.\/)?\s*!/.test(rule);
}

function addRule(collector: RuleCollector, effect: Effect, text: string, setting: string): void {
  const [, tool = '', specifier = '*'] = /^([^()]+)(?:\((.*)\))?$/s.exec(text.trim()) ?? [];
  const rule = carryRule(tool, specifier === '*' ? null : specifier, effect);
  if (rule === null) collector.note(setting, toToolNote(tool, lookingTools));
  else collector.add({ act: rule.act, effect, setting }, rule.carried);
}

const lookingTools: ReadonlySet<string> = new Set(['Glob', 'Grep', 'LS']);

interface CarriedRule {
  readonly act: ActKind;
  readonly carried: Carried;
}

/** What a rule for a tool means for acts; null for tools that nothing here is like. */
function carryRule(tool: string, spec: string | null, effect: Effect): CarriedRule | null {
  const carryPath = () => (spec === null ? everything : carryGitignorePattern(spec, toAim(effect)));
  switch (tool) {
    case 'Bash':
      return { act: 'exec', carried: spec === null ? everything : carryCommand(spec, effect) };
    case 'Read':
      return { act: 'read', carried: carryPath() };
    case 'Edit':
      return { act: 'write', carried: carryPath() };
    case 'Write':
    case 'MultiEdit':
    case 'NotebookEdit':
      return { act: 'write', carried: carryWritingTool(spec, effect) };
    case 'WebFetch':
      return { act: 'net', carried: spec === null ? anyHost(effect) : carryDomain(spec, effect) };
    default:
      return null;
  }
}

const everything: Carried = exactly({ pattern: '*' });

function anyHost(effect: Effect): Carried {
  return exactly({ pattern: effect === 'allow' ? '*:443' : '*' });
}

/** `:*` is an old way to write ` *`; a question mark is none of the wildcards there. */
function carryCommand(spec: string, effect: Effect): Carried {
  const pattern = spec.replace(/:\*$/, ' *');
  if (effect === 'allow' && pattern.includes('?')) return leftOut('`?` would be any character here');
  return carryCommandPattern(pattern, toAim(effect));
}

/** A path does not count there, only the tool as a whole; here the one kind of act stands for all tools that write. */
function carryWritingTool(spec: string | null, effect: Effect): Carried {
  if (spec !== null && spec !== '') return leftOut('a path with this tool is not looked at; `Edit` covers all writing');
  if (effect === 'allow')
    return leftOut('one writing tool cannot be told from another here; `Edit` covers all writing');
  return { ...everything, note: 'said of all writing, as one writing tool cannot be told from another here' };
}

function carryDomain(spec: string, effect: Effect): Carried {
  const [, named = ''] = /^domain:([a-z0-9.-]+)$/i.exec(spec) ?? [];
  const host = findPatternProblem('net', named) === null ? named : null;
  if (host !== null && effect === 'allow') return exactly({ pattern: `${host}:443` });
  if (host !== null) return exactly({ pattern: host }, { pattern: `*.${host}` });
  if (effect === 'allow') return leftOut('it names no single host');
  return { ...everything, note: 'said of every host, as it names no single one' };
}
