// Asks before one of the protected paths is written. A rule that allows exactly that path answers in advance; one that takes
// in more was hardly meant to.
import { toPathGlobs } from './path-globs.ts';
import type { Layer, Rule } from './policy.ts';
import { protectedPaths } from './protected-paths.ts';

/** A rule for each glob of the committed list. */
export const protectedRules: readonly Rule[] = protectedPaths.flatMap(({ reason, paths, except = [] }) => {
  const exceptions = except.flatMap(toPathGlobs);
  return paths
    .flatMap(toPathGlobs)
    .map((pattern): Rule => ({ act: 'write', effect: 'ask', pattern, ...toExcept(exceptions), reason }));
});

export const protectedLayer: Layer = {
  name: 'protected',
  origin: 'built-in',
  rules: protectedRules,
  remedy: 'this layer is built in: only an approval of this very write answers it',
  isAnsweredByExactPath: true,
};

function toExcept(except: readonly string[]): Pick<Rule, 'except'> {
  return except.length === 0 ? {} : { except };
}
