// Reads the policy files that a run is judged by. One that is not there says nothing; one that cannot be trusted or read stops
// the run before it begins, because a policy that is half read allows what the other half denies.
import { join, relative, resolve, sep } from 'node:path';
import { toProjectPolicyFile, toUserPolicyFile } from '../approval/scope-file.ts';
import type { PolicyScope } from '../policy/compose-policy.ts';
import { parsePolicyFile } from '../policy/parse-policy-file.ts';
import { readNamedFile } from './read-named-file.ts';
import { readScopeFile, type ScopeFile } from './read-scope-file.ts';

export interface LoadScopesOptions {
  /** The engine's own directory; it need not be there. */
  readonly home: string;
  readonly workspace: string;
  /** The file of whoever starts the run; unlike the others it must be there. */
  readonly policyFile: string | null;
}

/** From the widest scope to the narrowest. Throws `policy-invalid` with the file's name. */
export function loadScopes(options: LoadScopesOptions): PolicyScope[] {
  return [...loadOwnScopes(options), ...loadRepositoryScope(options.workspace)];
}

/** What the person says and whoever starts the run. */
export function loadOwnScopes({ home, workspace, policyFile }: LoadScopesOptions): PolicyScope[] {
  return [
    ...loadUserScope(home),
    ...loadScope(inHome('project', home, toProjectPolicyFile(home, workspace))),
    ...(policyFile === null ? [] : [toScope('app', resolve(policyFile), readNamedFile(policyFile))]),
  ];
}

/** What the person says wherever they work; none where they say nothing. */
export function loadUserScope(home: string): PolicyScope[] {
  return loadScope(inHome('user', home, toUserPolicyFile(home)));
}

/** What the workspace says of itself, whose files may still lie elsewhere; none where it says nothing. */
export function loadRepositoryScope(directory: string, workspace = directory): PolicyScope[] {
  const parts = ['.io-studio', 'policy.jsonc'];
  const scopes = loadScope({ origin: 'repository', directory, parts, isPrivate: false });
  return scopes.map((scope) => ({ ...scope, file: join(workspace, ...parts) }));
}

/** What is in the home was written for this person alone: nobody else may have had a hand in it. */
function inHome(origin: 'user' | 'project', home: string, path: string): ScopeFile {
  return { origin, directory: home, parts: relative(home, path).split(sep), isPrivate: true };
}

function loadScope(file: ScopeFile): PolicyScope[] {
  const text = readScopeFile(file);
  return text === null ? [] : [toScope(file.origin, join(file.directory, ...file.parts), text)];
}

function toScope(origin: PolicyScope['origin'], file: string, text: string): PolicyScope {
  return { origin, file, policy: parsePolicyFile(text, file) };
}
