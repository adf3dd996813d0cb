// While a plan is wanted and none is approved, an agent may look and nothing else.
import type { ActKind } from '../../shared/act.ts';
import type { Layer, Rule } from './policy.ts';

const gatedActs: readonly ActKind[] = ['write', 'exec', 'net'];

/** Lies over the policy of a run until a person has approved its plan. */
export const planGate: Layer = {
  name: 'plan',
  origin: 'contract',
  rules: gatedActs.map((act): Rule => ({ act, effect: 'deny', pattern: '*' })),
  remedy: 'propose a plan: once a person has approved it, the other rules decide',
};
