// What a program comes by that goes through a whole directory: a denied file in it must not be read on the way. What is
// denied there is not named, as its name may be what nobody should know.
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JudgedAct, PathAct, Verdict } from '../../shared/act.ts';
import type { Stance } from '../policy/policy.ts';
import { openHeldDirectory } from '../sandbox/held-directory.ts';
import { entriesIgnoreLetterCase } from './ignores-letter-case.ts';
import { judgeResolved } from './judge-resolved.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { toEntryTarget } from './parse-workspace-path.ts';

/** More than that takes longer to look through than anybody waits. */
const maxEntries = 200_000;
/** Of what must be asked about; one would be enough for the effect, and some more tell what is at stake. */
const maxAsked = 20;

/** The verdict on the directory itself, as it stands after a look below it, and what is asked about there by another rule. */
export async function judgeBelow(
  root: WorkspaceRoot,
  top: JudgedPath,
  stance: Stance,
): Promise<[JudgedAct, ...JudgedAct[]]> {
  const { act, verdict } = top;
  if (act.real === null || verdict.effect === 'deny') return [top];
  const asked = collectAsked(verdict);
  let count = 0;
  for await (const entry of walkBelow(toAbsolutePath(root, act), act)) {
    if (++count > maxEntries) return [refuseBelow(act, `more than ${maxEntries} entries lie below it`, stance)];
    const judged = judgeResolved({ act: entry, refusal: null }, stance);
    if (judged.verdict.effect === 'deny') return [refuseBelow(act, deniedBelow[act.kind], stance)];
    asked.add(judged);
  }
  return [top, ...asked.found];
}

export interface JudgedPath extends JudgedAct {
  readonly act: PathAct;
}

/** Where it really lies; the act has to be one that could be placed. */
export function toAbsolutePath(root: WorkspaceRoot, { real, target, outside }: PathAct): string {
  return outside ? (real ?? target) : join(root.identity.path, real ?? target);
}

/** Gathers what is asked about by another rule than the directory itself. */
export function collectAsked({ layer, rule }: Pick<Verdict, 'layer' | 'rule'>): {
  readonly found: JudgedAct[];
  add(judged: JudgedAct): void;
} {
  const found: JudgedAct[] = [];
  const add = (judged: JudgedAct) => {
    const { verdict } = judged;
    const isNews = verdict.effect === 'ask' && (verdict.layer !== layer || verdict.rule !== rule);
    if (isNews && found.length < maxAsked) found.push(judged);
  };
  return { found, add };
}

/** The same act on every entry; links are not followed, as programs that go through directories do not follow them either. */
async function* walkBelow(directory: string, act: PathAct): AsyncGenerator<PathAct> {
  const entries = await readEntries(directory);
  if (entries.length === 0) return;
  const letterCase = act.letterCase === 'ignored' || foldsEntries(directory) ? 'ignored' : 'exact';
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

function foldsEntries(path: string): boolean {
  try {
    const directory = openHeldDirectory(path);
    try {
      return entriesIgnoreLetterCase(directory);
    } finally {
      directory.close();
    }
  } catch {
    return true;
  }
}

const deniedBelow = {
  read: 'something below it is denied to read, which the tools find, grep and list_dir leave out',
  write: 'something below it is denied to write',
} as const;

/** The directory as a whole is denied for a reason that lies below it. */
export function refuseBelow(act: PathAct, reason: string, stance: Stance): JudgedAct {
  return judgeResolved({ act: { ...act, real: null }, refusal: reason }, stance);
}
