// Where something of this machine may appear for commands: at a plain absolute path, and over nothing that the sandbox has
// put there itself.

/** What is wrong with where a mount comes from, as the end of a sentence; null when nothing is. */
export function findSourceProblem(path: string): string | null {
  return isPlainPath(path) ? null : 'must be an absolute path without `.`, `..`, `//` and control characters';
}

/** The same of where it goes to. */
export function findTargetProblem(path: string): string | null {
  const problem = findSourceProblem(path);
  if (problem !== null) return problem;
  const covered = ownPlaces.find((place) => place === path || place.startsWith(`${path}/`));
  if (covered !== undefined) return `would cover up ${covered}, which is the sandbox's own`;
  const around = wholePlaces.find((place) => path.startsWith(`${place}/`));
  return around === undefined ? null : `lies in ${around}, which is the sandbox's own`;
}

function isPlainPath(path: string): boolean {
  const isPart = (part: string): boolean => part !== '' && part !== '.' && part !== '..' && !/\p{Cc}/u.test(part);
  return path.startsWith('/') && path.slice(1).split('/').every(isPart);
}

/** Nothing may lie in these, and in the others only something that is not there yet. */
const wholePlaces = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/dev', '/proc', '/sys', '/box'];
const ownPlaces = [...wholePlaces, '/tmp', '/etc/passwd', '/etc/group', '/etc/hosts', '/etc/ssl', '/etc/alternatives'];
