// Has the guard judge the acts of a call, and journals the verdicts.
import { type JudgedAct, strictness } from '../../shared/act.ts';
import { toActFields } from '../../shared/act-record.ts';
import type { EventOf, EventPlace } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import type { AgentId } from '../../shared/id.ts';
import type { Stance } from '../policy/policy.ts';
import { toReason } from '../policy/to-reason.ts';
import type { CallPorts } from './driver-ports.ts';
import { judgeStaged } from './judge-staged.ts';
import { maskAct } from './mask-act.ts';
import { type ReadyCall, readCall } from './proposed-call.ts';
import { readStaged } from './staged-call.ts';

/** Judges every act of a proposed call, and journals what came of each. */
export async function judgeCall(
  ports: CallPorts,
  { agentId, call }: { readonly agentId: AgentId; readonly call: number },
): Promise<void> {
  const place: EventPlace = { agentId, step: agentOf(ports.recorder.state, { agentId }).step };
  const ready = readCall(ports, place, call);
  if (ready.tool.kind === 'plan') recordPlan(ports, place, ready);
  else recordVerdicts(ports, place, call, await judgeActs(ports, place, ready));
}

/** The verdicts of the present policy on everything the call declares, or on what its command has left. */
export async function judgeActs(
  { recorder, guard, reader, stanceOf }: CallPorts,
  place: EventPlace,
  { call, tool, arguments: parsed }: ReadyCall,
): Promise<readonly JudgedAct[]> {
  const stance = stanceOf(recorder.state, place.agentId);
  const { staged } = callOf(agentOf(recorder.state, place), call);
  if (staged !== null) return judgeStaged(guard, stance, readStaged(reader, staged), tool);
  const judged = await Promise.all(tool.acts(parsed).map((act) => guard.judge(act, stance)));
  return judged.flat();
}

/** `isDropped`: the call goes on without these acts. */
export function recordVerdicts(
  ports: CallPorts,
  place: EventPlace,
  call: number,
  acts: readonly JudgedAct[],
  { isDropped = false } = {},
): void {
  const { recorder, stanceOf } = ports;
  const stance = stanceOf(recorder.state, place.agentId);
  const dropped = isDropped ? ({ dropped: true } as const) : {};
  for (const act of acts) {
    recorder.emit(place, { type: 'act-judged', call, ...dropped, ...toVerdictFields(ports, act, stance) });
  }
}

/** Of the verdicts on a call the strictest; of equally strict ones the first that more than a default decided. */
export function findStrictest(acts: readonly JudgedAct[]): JudgedAct | undefined {
  return acts.toSorted((left, right) => weigh(right) - weigh(left))[0];
}

/** What a default decided a rule can change; what a rule or a layer decided is the harder news. */
const weigh = ({ verdict }: JudgedAct): number =>
  2 * strictness[verdict.effect] + (verdict.layer === 'default' ? 0 : 1);

type VerdictFields = Omit<EventOf<'act-judged'>, 'type' | 'call' | 'runId' | 'agentId' | 'step' | 'seq' | 'at'>;

function toVerdictFields({ redactor }: CallPorts, { act, verdict }: JudgedAct, stance: Stance): VerdictFields {
  const mask = (text: string) => redactor.redact(text).text;
  const { effect, rule, layer, origin } = verdict;
  return {
    ...toActFields(maskAct(mask, act)),
    ...(stance.isTainted ? { tainted: true } : {}),
    effect,
    rule,
    layer,
    ...(origin === 'default' ? {} : { origin }),
    ...(effect === 'allow' ? {} : { because: mask(toReason(verdict)) }),
  };
}

/** Why a plan is put to people. */
export const planReason = 'the contract asks for a plan that a person has approved';

/** A plan is no act: it is for people to say whether it is a good one. */
function recordPlan({ recorder }: CallPorts, place: EventPlace, { call, target }: ReadyCall): void {
  const because = planReason;
  recorder.emit(place, {
    type: 'act-judged',
    call,
    act: 'plan',
    target,
    effect: 'ask',
    rule: null,
    layer: 'plan',
    because,
  });
}
