import { isPersons } from './find-rule.ts';
import type { Policy } from './policy.ts';

/** Whether a person allows some host by a rule. A default that allows speaks of no host. */
export function allowsHosts({ layers }: Policy): boolean {
  return layers.some(
    ({ origin, rules }) => isPersons(origin) && rules.some(({ act, effect }) => act === 'net' && effect === 'allow'),
  );
}
