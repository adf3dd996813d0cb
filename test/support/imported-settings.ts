// What tests of imports are made of: settings as their tools write them, acts, and how strictly an imported policy judges.
import { composePolicy } from '../../src/engine/policy/compose-policy.ts';
import { evaluatePolicy } from '../../src/engine/policy/evaluate-policy.ts';
import { importPolicy } from '../../src/engine/policy/import-policy.ts';
import type { PolicyFile } from '../../src/engine/policy/policy-file.ts';
import { type ResolvedAct, strictness } from '../../src/shared/act.ts';

export const importText = (settings: object) => importPolicy(JSON.stringify(settings), 'settings.json');

export function write(target: string): ResolvedAct {
  return { kind: 'write', target, real: target, letterCase: 'exact', outside: false };
}

export function run(target: string): ResolvedAct {
  const [written = ''] = target.split(' ');
  return { kind: 'exec', target, program: { written, real: `/usr/bin/${written}`, isSystem: true }, opaque: null };
}

export function judge(policy: PolicyFile, act: ResolvedAct): number {
  const composed = composePolicy([{ origin: 'app', file: null, policy }]);
  return strictness[evaluatePolicy(composed, act, { isTainted: false, isolation: 'none' }).effect];
}
