// What a well-formed policy file can still get wrong: patterns that mean nothing, names that would pass for the engine's own,
// rules that contradict each other, and sizes that are none.
import { parseSize } from '../../shared/parse-size.ts';
import { findSourceProblem, findTargetProblem } from './find-mount-problem.ts';
import { findPatternProblem } from './find-pattern-problem.ts';
import type { FileMount, FileRule, PolicyFile } from './policy-file.ts';
import type { PolicyProblem } from './policy-problem.ts';
import { toRuleSubject } from './to-rule-subject.ts';

/** Every problem of the file, in its order. */
export function findFileProblems({ layers = [], sandbox, store }: PolicyFile): PolicyProblem[] {
  const rules = layers.flatMap(({ name, rules }, layer) =>
    rules.map((rule, index): LocatedRule => ({ layer: name, rule, path: ['layers', layer, 'rules', index] })),
  );
  return [
    ...findReservedNames(layers),
    ...rules.flatMap(findPatternProblems),
    ...findContradictions(rules),
    ...findMountProblems(sandbox?.mounts ?? []),
    ...findQuotaProblems(store?.quota ?? 'none'),
  ];
}

interface LocatedRule {
  readonly layer: string;
  readonly rule: FileRule;
  readonly path: readonly (string | number)[];
}

/** Names by which verdicts report what no file decides. */
const reservedNames = [
  'secrets',
  'provenance',
  'protected',
  'workspace',
  'command-line',
  'guard',
  'default',
  'plan',
  'contract',
  'run',
];

function findReservedNames(layers: readonly { readonly name: string }[]): PolicyProblem[] {
  return layers.flatMap(({ name }, index) =>
    reservedNames.includes(name.toLowerCase())
      ? [{ path: ['layers', index, 'name'], message: `is a name of the engine's own: choose another than "${name}"` }]
      : [],
  );
}

function findPatternProblems({ rule, path }: LocatedRule): PolicyProblem[] {
  const places: [string, readonly (string | number)[]][] = [
    [rule.pattern, [...path, 'pattern']],
    ...(rule.except ?? []).map((each, index): [string, (string | number)[]] => [each, [...path, 'except', index]]),
  ];
  return places.flatMap(([pattern, place]) => {
    const problem = findPatternProblem(rule.act, pattern);
    return problem === null ? [] : [{ path: place, message: `${JSON.stringify(pattern)} ${problem}` }];
  });
}

/** The layer of remembered answers is left out: people change their minds there, and the stricter answer stands. */
const rememberedLayer = 'remembered';

function findContradictions(rules: readonly LocatedRule[]): PolicyProblem[] {
  const seen = new Map<string, FileRule>();
  const problems: PolicyProblem[] = [];
  for (const { layer, rule, path } of rules) {
    if (layer === rememberedLayer) continue;
    const subject = toRuleSubject(rule);
    const other = seen.get(subject);
    if (other === undefined) seen.set(subject, rule);
    else if (other.effect !== rule.effect)
      problems.push({
        path,
        message: `is to ${rule.effect} what another rule is to ${other.effect}: keep one of the two`,
      });
  }
  return problems;
}

function findMountProblems(mounts: readonly FileMount[]): PolicyProblem[] {
  return mounts.flatMap(({ source, target }, index) => {
    const wrong = [
      { key: 'source', message: findSourceProblem(source) },
      { key: target === undefined ? 'source' : 'target', message: findTargetProblem(target ?? source) },
    ].find(({ message }) => message !== null);
    if (wrong === undefined || wrong.message === null) return [];
    return [{ path: ['sandbox', 'mounts', index, wrong.key], message: wrong.message }];
  });
}

function findQuotaProblems(quota: string): PolicyProblem[] {
  if (quota === 'none' || parseSize(quota) !== null) return [];
  const message = `${JSON.stringify(quota)} is no size: give bytes, bytes with a unit such as 10GiB, or none`;
  return [{ path: ['store', 'quota'], message }];
}
