// Where the rules of a person are kept: in the engine's home, never in a workspace, so that nothing an agent writes can
// widen what it may do.
import { hash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EngineError } from '../../shared/engine-error.ts';

/** Rules for everything this person runs. */
export function toUserPolicyFile(home: string): string {
  return join(home, 'policy.jsonc');
}

/** Rules for one workspace, known by where it really lies. Throws `workspace-unusable` when it is not there. */
export function toProjectPolicyFile(home: string, workspacePath: string): string {
  return join(home, 'projects', toWorkspaceId(toRealPath(workspacePath)), 'policy.jsonc');
}

/** The name is for people who look into the home; the digits alone tell two workspaces apart. */
function toWorkspaceId(realPath: string): string {
  const name = basename(realPath)
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 40);
  return `${name === '' ? 'root' : name}-${hash('sha256', realPath).slice(0, 16)}`;
}

function toRealPath(path: string): string {
  try {
    return realpathSync.native(path); // The native one also gives the true case of letters.
  } catch (cause) {
    throw new EngineError('workspace-unusable', `There is no workspace ${path} to keep rules for.`, {
      remedy: 'Name a directory that exists.',
      cause,
    });
  }
}
