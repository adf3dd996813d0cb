// Where everything lies that an engine keeps outside its home: one directory for each user, below TMPDIR or, where that
// cannot be used, below /tmp. Nobody else can put anything into it. Under a root engine others may pass through it, because
// its sandboxes run as users of their own; they still see no names.
import { accessSync, constants, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { EngineError } from '../../../shared/engine-error.ts';
import { ensureOwnDirectory, isOwnDirectory } from './own-directory.ts';

const isRoot = (): boolean => process.geteuid?.() === 0;

/** The base by its real path; made where there is none yet. */
export function openPrivateBase(): string {
  const base = join(findParent(), baseName());
  ensureOwnDirectory(base, isRoot() ? 0o711 : 0o700);
  return base;
}

/** Every base that may hold something, also below `others`, which engines with another TMPDIR used. Makes none. */
export function listPrivateBases(others: readonly string[] = []): string[] {
  const parents = new Set([...parentCandidates(), ...others].flatMap((path) => toRealPath(path) ?? []));
  return [...parents].map((parent) => join(parent, baseName())).filter(isOurs);
}

const baseName = (): string => `io-studio-${process.geteuid?.() ?? 'user'}`;

const parentCandidates = (): string[] => [tmpdir(), '/tmp'];

function findParent(): string {
  const faults: string[] = [];
  for (const path of parentCandidates()) {
    const parent = toRealPath(path);
    const fault = parent === null ? 'it does not exist' : findFault(parent);
    if (parent !== null && fault === null) return parent;
    faults.push(`${path}: ${fault}`);
  }
  throw new EngineError('sandbox-unavailable', `No directory for temporary files can be used. ${faults.join('; ')}.`, {
    remedy: 'Set TMPDIR to a directory that exists and that you may write to.',
  });
}

/** Why nothing of ours can be safe and reachable in this directory. */
function findFault(parent: string): string | null {
  const stats = statSync(parent);
  if (!stats.isDirectory()) return 'it is no directory';
  if (!isWritable(parent)) return 'it cannot be written to';
  if (othersCanReplace(stats)) return 'everybody may rename what others have in it';
  if (isRoot() && !othersCanReach(parent)) return 'the users that sandboxes run as cannot enter it';
  return null;
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const othersCanReplace = ({ mode }: Stats): boolean =>
  process.platform !== 'win32' && (mode & 0o002) !== 0 && (mode & 0o1000) === 0;

function othersCanReach(directory: string): boolean {
  const above = dirname(directory);
  return (statSync(directory).mode & 0o001) !== 0 && (above === directory || othersCanReach(above));
}

function isOurs(base: string): boolean {
  try {
    return isOwnDirectory(lstatSync(base));
  } catch {
    return false; // There is none, or none that we could get at.
  }
}

function toRealPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
