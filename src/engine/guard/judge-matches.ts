// What a pattern for names of files comes to at this moment: a denied file must not be read because a pattern stands for its
// name.
import type { JudgedAct } from '../../shared/act.ts';
import type { Stance } from '../policy/policy.ts';
import { expandGlob } from './expand-glob.ts';
import { type JudgedPath, judgeContents, toAbsolutePath } from './judge-contents.ts';
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

export async function judgeMatches(
  root: WorkspaceRoot,
  matching: Matching,
  stance: Stance,
): Promise<[JudgedAct, ...JudgedAct[]]> {
  const { top } = matching;
  const entries = judgeEach(root, matching);
  const tooMany = `a pattern matches more than ${maxMatches} names in it`;
  const denied = `a pattern matches something in it that is denied to ${top.act.kind}`;
  return judgeContents(top, { entries, maxEntries: maxMatches, tooMany, denied }, stance);
}

async function* judgeEach(
  root: WorkspaceRoot,
  { top: { act }, glob, isDeep, judge }: Matching,
): AsyncGenerator<readonly JudgedAct[]> {
  for await (const path of expandGlob(toAbsolutePath(root, act), glob)) {
    const part = { kind: 'path', act: act.kind, path, directory: '/', isDeep } as const;
    yield await judge({ ...placeOperand(root, part), isDeep });
  }
}
