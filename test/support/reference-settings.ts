// What the tools that settings were written for would have said to an act, as plainly as that can be put: slow, and short
// enough to be believed.
import type { Effect, ResolvedAct } from '../../src/shared/act.ts';

const workspace = '/home/ada/work';

/** Some details are told in different ways, so an import has to hold under either. */
interface Reading {
  /** Whether ` *` at the end of a command pattern may be nothing. */
  readonly isLastStarOptional: boolean;
  /** Where a path with one slash at its head starts from. */
  readonly settings: string;
  /** Whether `./` at the head of a path and `/**` at its end are taken for nothing. */
  readonly isTrimmed: boolean;
}

export const readings: readonly Reading[] = [
  { isLastStarOptional: false, settings: workspace, isTrimmed: false },
  { isLastStarOptional: true, settings: `${workspace}/.claude`, isTrimmed: true },
];

export type Mode = 'default' | 'acceptEdits' | 'plan' | 'dontAsk';

type Permissions = Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>> & { readonly defaultMode: Mode };

export function judgeLikeClaude(permissions: Permissions, act: ResolvedAct, reading: Reading): Effect {
  const { defaultMode } = permissions;
  if (defaultMode === 'plan' && act.kind !== 'read') return 'deny';
  const asked = defaultMode === 'dontAsk' ? 'deny' : 'ask';
  for (const effect of ['deny', 'ask', 'allow'] as const)
    if (permissions[effect].some((rule) => matchesClaudeRule(rule, act, reading)))
      return effect === 'ask' ? asked : effect;
  if (act.kind === 'read' && !act.outside) return 'allow';
  return defaultMode === 'acceptEdits' && act.kind === 'write' && !act.outside ? 'allow' : asked;
}

function matchesClaudeRule(rule: string, act: ResolvedAct, reading: Reading): boolean {
  const [, tool = '', written = ''] = /^(\w+)\((.*)\)$/s.exec(rule) ?? [];
  if (act.kind === 'exec')
    return tool === 'Bash' && toLineRegExp(written.replace(/:\*$/, ' *'), reading, '*').test(act.target);
  if (act.kind === 'net' || tool !== (act.kind === 'read' ? 'Read' : 'Edit')) return false;
  const path = act.outside ? act.target : `${workspace}/${act.target}`;
  const spec = reading.isTrimmed ? written.replace(/^\.\/|\/\*\*$/g, '') : written;
  if (spec.startsWith('//')) return isIgnored(spec.slice(2), true, '', path);
  if (spec.startsWith('~/')) return isIgnored(spec.slice(2), true, '/home/ada', path);
  if (spec.startsWith('/')) return isIgnored(spec.slice(1), true, reading.settings, path);
  if (spec.startsWith('./')) return isIgnored(spec.slice(2), true, workspace, path);
  return isIgnored(spec, false, workspace, path);
}

/** A file is ignored when the pattern matches it or a directory that it lies in. */
function isIgnored(pattern: string, isRooted: boolean, base: string, path: string): boolean {
  if (!path.startsWith(`${base}/`)) return false;
  const names = path.slice(base.length + 1).split('/');
  const isDirectory = pattern.endsWith('/');
  const body = pattern.replace(/\/$/, '');
  const isAnchored = isRooted || body.includes('/');
  const source = body
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/^\*\*$/, '\u0001')
    .replace(/^(\*\*\/)+/, '\u0002')
    .replace(/(\/\*\*)+$/, '/\u0003')
    .replace(/\/(\*\*\/)+/g, '/\u0002')
    .replaceAll('?', '[^/]')
    .replace(/\*+/g, '[^/]*')
    .replaceAll('\u0001', '.*')
    .replaceAll('\u0002', '(?:.*/)?')
    .replaceAll('\u0003', '.+');
  const regExp = new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${source}$`, 's');
  return names.some((_, index) => {
    const isFile = index === names.length - 1;
    return !(isFile && isDirectory) && regExp.test(names.slice(0, index + 1).join('/'));
  });
}

type OpencodePermission = Readonly<Record<string, Effect | Readonly<Record<string, Effect>> | undefined>>;

export function judgeLikeOpencode(permission: OpencodePermission, act: ResolvedAct): Effect {
  const tool = { read: 'read', write: 'edit', exec: 'bash', net: 'webfetch' }[act.kind];
  const entries = Object.entries(permission).flatMap(([name, value = {}]) =>
    Object.entries(typeof value === 'string' ? { '*': value } : value).map(([pattern, effect]) => ({
      name,
      pattern,
      effect,
    })),
  );
  const optional = { isLastStarOptional: true };
  const last = entries.findLast(
    ({ name, pattern }) =>
      toLineRegExp(name, optional, '*?').test(tool) &&
      toLineRegExp(pattern.replace(/^~\//, '/home/ada/'), optional, '*?').test(act.target),
  );
  return last?.effect ?? 'allow';
}

function toLineRegExp(
  pattern: string,
  { isLastStarOptional }: Pick<Reading, 'isLastStarOptional'>,
  wildcards: '*' | '*?',
): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('?', wildcards === '*' ? '\\?' : '.')
    .replaceAll('*', '.*');
  return new RegExp(`^${isLastStarOptional ? source.replace(/ \.\*$/, '( .*)?') : source}$`, 's');
}
