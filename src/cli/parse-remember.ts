import type { DecideParams } from '../engine/index.ts';
import { RememberScope } from '../shared/approval.ts';
import { toVisible } from '../shared/to-visible.ts';
import { usage } from './parse-options.ts';

/** `SCOPE`, or `SCOPE:RULE`; a rule may hold colons of its own. Throws `usage`. */
export function parseRemember(text: string): NonNullable<DecideParams['remember']> {
  const [, name, pattern] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  const scope = RememberScope.safeParse(name);
  if (scope.success && pattern !== '') return { scope: scope.data, pattern };
  throw usage(
    `--remember takes ${RememberScope.options.join(', ')}, each with :RULE or without, not "${toVisible(text)}"; ` +
      'nothing is ever remembered in a file of the workspace.',
  );
}
