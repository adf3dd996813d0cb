// What no program can be told, whatever encloses it. A zero byte ends a word for the kernel and for every helper on the way:
// what stood behind it would be read as a word of its own, and so as an option that nobody gave.
import type { StartFailure } from './launch.ts';
import type { SandboxDirectory, SandboxSpec } from './sandbox.ts';

/** Why this can be no command anywhere; null where it can. */
export function findSpecFault({ argv, environment, directory }: SandboxSpec): StartFailure | null {
  if (argv.some(holdsZero)) return fault('program', 'an argument holds a zero byte');
  const names = Object.keys(environment);
  if (names.some((name) => name === '' || name.includes('='))) return fault('program', 'a variable has no proper name');
  if ([...names, ...Object.values(environment)].some(holdsZero))
    return fault('program', 'a variable holds a zero byte');
  return listPaths(directory).some(holdsZero) ? fault('directory', 'a path holds a zero byte') : null;
}

const holdsZero = (text: string): boolean => text.includes('\0');

function listPaths(directory: SandboxDirectory): readonly string[] {
  return directory.mode === 'ephemeral'
    ? [...directory.files.map(({ path }) => path), ...directory.collect]
    : [directory.workspace, ...directory.hidden, ...listCovered(directory)];
}

const listCovered = (directory: SandboxDirectory): string[] =>
  directory.mode === 'bound' ? (directory.covers ?? []).map(({ path }) => path) : [];

function fault(stage: StartFailure['stage'], reason: string): StartFailure {
  return { kind: 'not-started', stage, reason };
}
