// The verdicts on a declared act: on everything that it comes to, and on what lies below a directory where that is meant.
import type { DeclaredAct, JudgedAct } from '../../shared/act.ts';
import type { Stance } from '../policy/policy.ts';
import { judgeBelow } from './judge-below.ts';
import { judgeMatches } from './judge-matches.ts';
import { isPathAct, judgeResolved, type Resolved } from './judge-resolved.ts';
import { judgeTracked } from './judge-tracked.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { resolveAct } from './resolve-act.ts';

/** Each act by itself, in the order of the line; a call may be made only when every one may. */
export async function judgeAct(
  root: WorkspaceRoot,
  act: DeclaredAct,
  stance: Stance,
): Promise<[JudgedAct, ...JudgedAct[]]> {
  const [first, ...rest] = await resolveAct(root, act);
  const judged = await judgeWhole(root, first, stance);
  for (const resolved of rest) judged.push(...(await judgeWhole(root, resolved, stance)));
  return judged;
}

async function judgeWhole(
  root: WorkspaceRoot,
  resolved: Resolved,
  stance: Stance,
): Promise<[JudgedAct, ...JudgedAct[]]> {
  const { act, verdict } = judgeResolved(resolved, stance);
  if (act.kind === 'exec' && resolved.tracked !== undefined)
    return judgeTracked(root, { act, verdict }, resolved.tracked, stance);
  if (!isPathAct(act)) return [{ act, verdict }];
  const { glob, isDeep = false } = resolved;
  const judge = (inner: Resolved) => judgeWhole(root, inner, stance);
  if (glob !== undefined) return judgeMatches(root, { top: { act, verdict }, glob, isDeep, judge }, stance);
  return isDeep ? judgeBelow(root, { act, verdict }, stance) : [{ act, verdict }];
}
