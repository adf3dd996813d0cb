// What lies in a directory, or a part of it, judged as one with the directory: what is denied there denies it, and is not
// named, as its name may be what nobody should know.
import { join } from 'node:path';
import type { JudgedAct, PathAct } from '../../shared/act.ts';
import type { Stance } from '../policy/policy.ts';
import { collectAsked } from './collect-asked.ts';
import { judgeResolved } from './judge-resolved.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';

export interface JudgedPath extends JudgedAct {
  readonly act: PathAct;
}

export interface Contents {
  /** The verdicts on one entry after the other. Begun only where the directory itself is not denied. */
  readonly entries: AsyncIterable<readonly JudgedAct[]>;
  /** More than that are not looked through. */
  readonly maxEntries: number;
  /** Why the directory is denied where there are more, and where one of them is denied. */
  readonly tooMany: string;
  readonly denied: string;
}

/** The verdict on the directory itself, as it stands after a look at these, and what is asked about there by another rule. */
export async function judgeContents(
  top: JudgedPath,
  { entries, maxEntries, tooMany, denied }: Contents,
  stance: Stance,
): Promise<[JudgedAct, ...JudgedAct[]]> {
  const { act, verdict } = top;
  if (act.real === null || verdict.effect === 'deny') return [top];
  const refuse = (refusal: string): [JudgedAct] => [judgeResolved({ act: { ...act, real: null }, refusal }, stance)];
  const asked = collectAsked(verdict);
  let count = 0;
  for await (const entry of entries) {
    if (++count > maxEntries) return refuse(tooMany);
    for (const judged of entry) {
      if (judged.verdict.effect === 'deny') return refuse(denied);
      asked.add(judged);
    }
  }
  return [top, ...asked.found];
}

/** Where it really lies; the act has to be one that could be placed. */
export function toAbsolutePath(root: WorkspaceRoot, { real, target, outside }: PathAct): string {
  return outside ? (real ?? target) : join(root.identity.path, real ?? target);
}
