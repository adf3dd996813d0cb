// What a program comes by that goes through a whole directory: a denied file in it must not be read on the way.
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JudgedAct, PathAct } from '../../shared/act.ts';
import type { Stance } from '../policy/policy.ts';
import { entriesAtIgnoreLetterCase } from './ignores-letter-case.ts';
import { type JudgedPath, judgeContents, toAbsolutePath } from './judge-contents.ts';
import { judgeResolved } from './judge-resolved.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { toEntryTarget } from './parse-workspace-path.ts';

/** More than that takes longer to look through than anybody waits. */
const maxEntries = 200_000;

export async function judgeBelow(
  root: WorkspaceRoot,
  top: JudgedPath,
  stance: Stance,
): Promise<[JudgedAct, ...JudgedAct[]]> {
  const { act } = top;
  const entries = judgeEach(walkBelow(toAbsolutePath(root, act), act), stance);
  const tooMany = `more than ${maxEntries} entries lie below it`;
  return judgeContents(top, { entries, maxEntries, tooMany, denied: deniedBelow[act.kind] }, stance);
}

async function* judgeEach(acts: AsyncIterable<PathAct>, stance: Stance): AsyncGenerator<readonly JudgedAct[]> {
  for await (const act of acts) yield [judgeResolved({ act, refusal: null }, stance)];
}

/** The same act on every entry; links are not followed, as programs that go through directories do not follow them either. */
async function* walkBelow(directory: string, act: PathAct): AsyncGenerator<PathAct> {
  const entries = await readEntries(directory);
  if (entries.length === 0) return;
  const letterCase = act.letterCase === 'ignored' || entriesAtIgnoreLetterCase(directory) ? 'ignored' : 'exact';
  for (const entry of entries) {
    const target = toEntryTarget(act.target, entry.name);
    const real = toEntryTarget(act.real ?? act.target, entry.name);
    const below = { ...act, target, real, letterCase } as const;
    yield below;
    if (entry.isDirectory()) yield* walkBelow(join(directory, entry.name), below);
  }
}

/** Nothing where there is no directory, or none that this user may read: the command runs as the same user. */
async function readEntries(directory: string): Promise<Dirent[]> {
  return await readdir(directory, { withFileTypes: true }).catch(() => []);
}

const deniedBelow = {
  read: 'something below it is denied to read, which the tools find, grep and list_dir leave out',
  write: 'something below it is denied to write',
} as const;
