// Where the engine keeps its state. It must lie apart from every workspace: an agent that could reach the journal could
// rewrite its own history and answer its own questions.
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { EngineError } from '../../shared/engine-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The home: as given, or `IO_STUDIO_HOME`, or the platform's place for application state. Absolute; need not exist. */
export function resolveHome(given: string | null, environment: Environment, platform: NodeJS.Platform): string {
  const named = given ?? environment.IO_STUDIO_HOME;
  if (named !== undefined && named !== '') return resolve(named);
  const home = environment.HOME || homedir();
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'io-studio');
    case 'win32':
      return join(absoluteOr(environment.LOCALAPPDATA, join(home, 'AppData', 'Local')), 'io-studio');
    default:
      return join(absoluteOr(environment.XDG_STATE_HOME, join(home, '.local', 'state')), 'io-studio');
  }
}

/** A relative base is no place of the platform: it would be another one in every directory. */
const absoluteOr = (path: string | undefined, otherwise: string): string =>
  path !== undefined && isAbsolute(path) ? path : otherwise;

/** Throws `home-overlaps-workspace` when one lies inside the other, links resolved. */
export function assertApart(home: string, workspace: string): void {
  const [realHome, realWorkspace] = [toRealPath(resolve(home)), toRealPath(resolve(workspace))];
  if (!isInside(realHome, realWorkspace) && !isInside(realWorkspace, realHome)) return;
  throw new EngineError(
    'home-overlaps-workspace',
    `The engine's home (${home}) and the workspace (${workspace}) must not lie in one another: an agent could reach its own journal.`,
    { remedy: 'Choose another home with --home or IO_STUDIO_HOME, outside the workspace.' },
  );
}

/** Also for a path that does not exist yet: the part that does is resolved. */
function toRealPath(path: string): string {
  try {
    return realpathSync.native(path); // The native one also gives the true case of letters.
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(toRealPath(parent), path.slice(parent.length));
  }
}

function isInside(inner: string, outer: string): boolean {
  const way = relative(outer, inner);
  const leaves = way === '..' || way.startsWith(`..${sep}`);
  return !leaves && resolve(outer, way) === inner;
}
