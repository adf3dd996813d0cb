// What the command of a call has left, judged path by path. What its tool keeps for itself needs no other yes than the one
// that its command had; a denial holds there as well, and so does a question that a person's own rule asks.
import type { JudgedAct } from '../../shared/act.ts';
import type { Guard } from '../guard/guard.ts';
import type { Stance } from '../policy/policy.ts';
import type { WorkspaceChange } from '../sandbox/sandbox.ts';
import type { Tool } from '../tool/tool.ts';
import type { StagedWork } from './staged-call.ts';

/** The verdicts on every path that would not be as it was; the tool's own ones as a single one. */
export async function judgeStaged(
  guard: Guard,
  stance: Stance,
  { changes }: StagedWork,
  tool: Tool,
): Promise<readonly JudgedAct[]> {
  const own: JudgedAct[] = [];
  const others: JudgedAct[] = [];
  const persons = withoutBuiltIn(stance);
  for (const [path, of] of Map.groupBy(changes, (change) => change.path)) {
    const act = { kind: 'write', target: path } as const;
    const judged = await guard.judge(act, stance);
    const isOwn =
      of.every((change) => isToolsOwn(tool, change)) && judged.every(({ verdict }) => verdict.effect === 'ask');
    const isGiven = isOwn && (await guard.judge(act, persons)).every(isAskedByNobody);
    (isGiven ? own : others).push(...judged);
  }
  const [first] = own;
  return first === undefined ? others : [toOwnVerdict(first, own.length - 1, tool), ...others];
}

/** What people have said themselves: a question of theirs may stand behind one of a built-in layer. */
function withoutBuiltIn({ policy, ...rest }: Stance): Stance {
  return { ...rest, policy: { ...policy, layers: policy.layers.filter(({ origin }) => origin !== 'built-in') } };
}

const isAskedByNobody = ({ verdict: { effect, origin } }: JudgedAct): boolean =>
  effect !== 'ask' || origin === 'default';

/** Whether a yes to the call was a yes to this change. */
export function isToolsOwn(tool: Tool, change: WorkspaceChange): boolean {
  return tool.owns?.(change) === true;
}

function toOwnVerdict({ act }: JudgedAct, more: number, { name }: Tool): JudgedAct {
  const what = `${JSON.stringify(act.target)}${more > 0 ? ` and ${more} more` : ''}`;
  const because = `write of ${what} is allowed: ${name} keeps it for itself, and ${name} was permitted`;
  return {
    act,
    verdict: { effect: 'allow', rule: null, layer: 'tool', origin: 'built-in', because, wouldChange: null },
  };
}
