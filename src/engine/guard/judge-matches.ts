// What a pattern for names of files comes to at this moment: a denied file must not be read because a pattern stands for its
// name. As with a whole directory, what is denied is not named.
import type { JudgedAct } from '../../shared/act.ts';
import type { Stance } from '../policy/policy.ts';
import { expandGlob } from './expand-glob.ts';
import { collectAsked, type JudgedPath, refuseBelow, toAbsolutePath } from './judge-below.ts';
import type { Resolved } from './judge-resolved.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { placeOperand } from './place-operand.ts';

/** More names than that stand for something else than a pattern that somebody can agree to. */
const maxMatches = 5000;

export interface Matching {
  /** The directory below which it looks, as it was judged by itself. */
  readonly top: JudgedPath;
  readonly glob: string;
  /** What lies below a match is meant as well. */
  readonly isDeep: boolean;
  readonly judge: (resolved: Resolved) => Promise<readonly JudgedAct[]>;
}

/** The verdict on the directory, as it stands after a look at what matches, and what is asked about there by another rule. */
export async function judgeMatches(
  root: WorkspaceRoot,
  { top, glob, isDeep, judge }: Matching,
  stance: Stance,
): Promise<[JudgedAct, ...JudgedAct[]]> {
  const { act, verdict } = top;
  if (act.real === null || verdict.effect === 'deny') return [top];
  const asked = collectAsked(verdict);
  let count = 0;
  for await (const path of expandGlob(toAbsolutePath(root, act), glob)) {
    if (++count > maxMatches)
      return [refuseBelow(act, `a pattern matches more than ${maxMatches} names in it`, stance)];
    const part = { kind: 'path', act: act.kind, path, directory: '/', isDeep } as const;
    for (const judged of await judge({ ...placeOperand(root, part), isDeep })) {
      if (judged.verdict.effect === 'deny')
        return [refuseBelow(act, `a pattern matches something in it that is denied to ${act.kind}`, stance)];
      asked.add(judged);
    }
  }
  return [top, ...asked.found];
}
