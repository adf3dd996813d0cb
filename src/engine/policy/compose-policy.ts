// Puts the policies of all scopes into the one that a run is judged by. The built-in layers lie underneath; defaults come
// from the narrowest person's scope that names one; a file of the repository can only narrow.
import { z } from 'zod';
import { EngineError } from '../../shared/engine-error.ts';
import { builtInLayers } from './built-in-layers.ts';
import { builtInDefaults } from './default-policy.ts';
import { stricterDefaults } from './merge-policies.ts';
import type { Layer, Policy, PolicyDefaults } from './policy.ts';
import { PolicyFile } from './policy-file.ts';

/** Where a policy came from; `run` is what a person had remembered for one run, `contract` what its contract protects. */
export const PolicyScope = z.strictObject({
  origin: z.enum(['user', 'project', 'app', 'repository', 'run', 'contract']),
  /** Where it stands; null when no file holds it. */
  file: z.string().nullable(),
  policy: PolicyFile,
});
export type PolicyScope = z.infer<typeof PolicyScope>;

/** All scopes of a run, as the journal keeps them. */
export const PolicyScopes = z.array(PolicyScope);
export type PolicyScopes = z.infer<typeof PolicyScopes>;

/** The policy of a run. Throws `policy-invalid` where the repository allows something or a scope is there twice. */
export function composePolicy(scopes: readonly PolicyScope[]): Policy {
  assertComposable(scopes);
  return {
    layers: [...builtInLayers, ...scopes.flatMap(toLayers)],
    defaults: toDefaults(scopes),
  };
}

/** The same policy with more layers on top. */
export function withLayers(policy: Policy, layers: readonly Layer[]): Policy {
  return { ...policy, layers: [...policy.layers, ...layers] };
}

function assertComposable(scopes: readonly PolicyScope[]): void {
  for (const [index, scope] of scopes.entries()) {
    if (scopes.findIndex(({ origin }) => origin === scope.origin) !== index)
      throw new EngineError('policy-invalid', `There are two policies of the scope ${scope.origin}.`, {
        remedy: 'Put the rules of both into one file.',
      });
    if (scope.origin === 'repository') assertNarrows(scope);
    if (scope.origin !== 'user') assertNoOwnSettings(scope);
  }
}

function assertNarrows({ file, policy }: PolicyScope): void {
  for (const { name, rules } of policy.layers ?? [])
    for (const { act, effect, pattern } of rules)
      if (effect === 'allow')
        throw new EngineError(
          'policy-invalid',
          `The repository's policy ${file ?? ''} allows ${act} of "${pattern}" in its layer "${name}": a repository may only narrow.`,
          { remedy: 'Remove that rule there, or put it into a policy of your own.' },
        );
}

/** What is no rule is for the person alone to say. */
const ownSettings = { sandbox: 'what encloses commands', store: 'how the store is looked after' } as const;

function assertNoOwnSettings({ origin, file, policy }: PolicyScope): void {
  for (const key of ['sandbox', 'store'] as const) {
    if (policy[key] === undefined) continue;
    throw new EngineError(
      'policy-invalid',
      `The policy ${file ?? ''} of the scope ${origin} says ${ownSettings[key]}: only the person's own policy may.`,
      { remedy: `Remove \`${key}\` there, and put it into the policy of the engine's home.` },
    );
  }
}

function toLayers({ origin, file, policy }: PolicyScope): Layer[] {
  const place = origin === 'contract' ? 'the contract itself' : (file ?? `the policy of this ${origin}`);
  const remedy = `only a change of ${place} would lift that`;
  return (policy.layers ?? []).map(({ name, rules }) => ({ name, origin, rules, remedy }));
}

/** What the narrowest scope of a person says counts; the repository can only make that stricter. */
function toDefaults(scopes: readonly PolicyScope[]): PolicyDefaults {
  const defaultsOf = (origin: PolicyScope['origin']) =>
    scopes.find((scope) => scope.origin === origin)?.policy.defaults ?? {};
  const chosen = {
    ...builtInDefaults,
    ...defaultsOf('user'),
    ...defaultsOf('project'),
    ...defaultsOf('app'),
    ...defaultsOf('run'),
  };
  return stricterDefaults(chosen, { ...chosen, ...defaultsOf('repository') });
}
