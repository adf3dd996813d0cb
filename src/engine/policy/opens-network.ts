import { isPersons } from './find-rule.ts';
import type { Policy } from './policy.ts';

/** Whether some host may be dialled at all, be it after a question: if none may, nothing needs to offer it. */
export function opensNetwork({ layers, defaults }: Policy): boolean {
  if (defaults.net !== 'deny') return true;
  return layers.some(
    ({ origin, rules }) => isPersons(origin) && rules.some(({ act, effect }) => act === 'net' && effect !== 'deny'),
  );
}
