// How long one verdict takes under a policy of 10,000 rules, sentences included. No target comes twice, so nothing can be
// remembered. The floor is the same look-ups in plain maps: what any indexed policy pays before it decides or says anything.

import { composePolicy } from '../../src/engine/policy/compose-policy.ts';
import { evaluatePolicy } from '../../src/engine/policy/evaluate-policy.ts';
import type { FileRule } from '../../src/engine/policy/policy-file.ts';
import type { ResolvedAct } from '../../src/shared/act.ts';
import { atMost, explain, type Measure } from '../support/figure.ts';
import { median, percentile } from '../support/statistics.ts';

const ruleCount = 10_000;
const actCount = 30_000;
const warmUps = 10_000;

export const policyVerdict: Measure = {
  name: 'policy',
  title: 'One verdict under 10,000 rules',
  async run() {
    const rules = Array.from({ length: ruleCount }, (_, index) => toRule(index));
    const policy = composePolicy([{ origin: 'user', file: null, policy: { layers: [{ name: 'many', rules }] } }]);
    const circumstances = { isTainted: false, isolation: 'none' };
    const targets = Array.from({ length: warmUps + actCount }, (_, index) => toTarget(index - warmUps));
    const lookUp = createFloor(rules);
    const floor = take(targets, (target) => lookUp(target));
    const ours = take(targets, (target) => evaluatePolicy(policy, toAct(target), circumstances).because.length);
    return [
      atMost(20, { label: 'median of a verdict', unit: 'µs', ours: median(ours), floor: median(floor) }),
      explain({
        label: '99th of 100 verdicts',
        unit: 'µs',
        ours: percentile(ours, 0.99),
        floor: percentile(floor, 0.99),
      }),
    ];
  },
};

const effects = ['deny', 'ask', 'allow'] as const;

/** Half are whole paths, a quarter directories, a quarter endings, and every hundredth has a star within. */
function toRule(index: number): FileRule {
  const effect = effects[index % effects.length] ?? 'deny';
  return { act: 'write', effect, pattern: toPattern(index) };
}

function toPattern(index: number): string {
  if (index % 100 === 99) return `packages/*/src/part-${index}/*.ts`;
  switch (index % 4) {
    case 0:
      return `packages/area-${index}/*`;
    case 1:
      return `*.kind${index}`;
    default:
      return `packages/area-${index}/src/deep/file-${index}.ts`;
  }
}

/** A third are named by a rule where there is one; of the others nothing but directories is known, and of half not those. */
function toTarget(index: number): string {
  const number = Math.floor(index / 3);
  if (index % 3 === 0) return `packages/area-${number}/src/deep/file-${number}.ts`;
  return `packages/area-${(index * 7919) % (ruleCount * 2)}/src/deep/file-${index}-new.ts`;
}

function toAct(target: string): ResolvedAct {
  return { kind: 'write', target, real: target, letterCase: 'exact', outside: false };
}

/** One map for each effect and form; the pieces of the path are what is looked up. */
function createFloor(rules: readonly FileRule[]): (target: string) => number {
  const maps = effects.map((effect) => new Map(rules.filter((rule) => rule.effect === effect).map(toKey)));
  return (target) => {
    let found = 0;
    for (const map of maps) {
      if (map.has(target)) found++;
      for (let slash = target.indexOf('/'); slash !== -1; slash = target.indexOf('/', slash + 1))
        if (map.has(target.slice(0, slash + 1))) found++;
      if (map.has(target.slice(target.lastIndexOf('.')))) found++;
    }
    return found;
  };
}

function toKey({ pattern }: FileRule): [string, true] {
  return [pattern.replace(/^\*|\*$/g, ''), true];
}

/** Microseconds of each call, in the order of the targets; those of the first ones, which warm up, are left out. */
function take(targets: readonly string[], judge: (target: string) => number): number[] {
  let sum = 0;
  const durations = targets.map((target) => {
    const start = process.hrtime.bigint();
    sum += judge(target);
    return Number(process.hrtime.bigint() - start) / 1000;
  });
  if (!Number.isFinite(sum)) throw new Error('nothing was judged');
  return durations.slice(warmUps);
}
