// The last look before a call starts. What was approved is found out again and must be just that; what was allowed must be
// allowed still. Whatever has changed meanwhile sends the call back to be judged or asked about.
import type { JudgedAct } from '../../shared/act.ts';
import type { EventPlace } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import type { AgentState, CallStage } from '../../shared/run-state.ts';
import { toDigest } from '../approval/to-digest.ts';
import type { CommandDone, PreparedCall, ToolResult } from '../tool/tool.ts';
import { describeCall, prepareCall } from './describe-call.ts';
import type { CallPorts } from './driver-ports.ts';
import { findStrictest, judgeActs, recordVerdicts } from './judge-call.ts';
import { type ReadyCall, readCall, readCallWith } from './proposed-call.ts';
import { describeChanges } from './request-details.ts';
import type { StagedWork } from './staged-call.ts';
import { voidAnswer } from './void-answer.ts';

/** A call that may start now, with what it will do. */
export interface ClearedCall {
  readonly ready: ReadyCall;
  readonly plan: PreparedCall | StagedWork;
  /** The request whose approval the start consumes. */
  readonly approval: string | null;
}

type Waiting = Extract<CallStage, { kind: 'waiting' }>;

/** Null when the call may not start as things stand: why is journaled, and the next plan goes by it. */
export async function clearCall(
  ports: CallPorts,
  place: EventPlace,
  call: number,
  signal: AbortSignal,
): Promise<ClearedCall | null> {
  const { recorder } = ports;
  const agent = agentOf(recorder.state, place);
  const { stage } = callOf(agent, call);
  if (voidAnswer(ports, place, call)) return null;
  const approved = stage.kind === 'waiting' && stage.answer?.decision === 'approve' ? stage : null;
  if (approved !== null && !(await holds(ports, place, call, approved, signal))) return null;
  const ready = readCall(ports, place, call);
  const permitted = approved !== null || recorder.state.settings.posture === 'all' ? 'ask' : 'allow';
  if (hasWaited(agent) && !(await isStillPermitted(ports, place, ready, permitted))) return null;
  const plan = await prepareCall(ports, place, ready, { signal, permitted, foreseen: new Map() });
  const { rewrite } = callOf(agentOf(recorder.state, place), call);
  return { ready, plan: rewrite === null ? plan : tellRewritten(plan, ready), approval: approved?.request ?? null };
}

/** The model has to know that something else was done than what it asked for. */
function tellRewritten(
  plan: PreparedCall | StagedWork,
  { arguments: rewritten }: ReadyCall,
): PreparedCall | StagedWork {
  const note = `A person changed this call before they approved it. It was made with ${JSON.stringify(rewritten)}\n`;
  const tell = (result: ToolResult): ToolResult => ({ ...result, text: note + result.text });
  switch (plan.kind) {
    case 'apply':
      return plan; // Its command has told it.
    case 'spawn':
    case 'hold':
    case 'mail':
      return plan; // What comes of it others tell.
    case 'command': {
      const run = async (): Promise<CommandDone> => {
        const done = await plan.run();
        return { ...done, result: tell(done.result) };
      };
      return { ...plan, run };
    }
    case 'look':
    case 'request': {
      const run = async (): Promise<ToolResult> => tell(await plan.run());
      return { ...plan, run };
    }
    default:
      return { ...plan, result: tell(plan.result) };
  }
}

/** Between judging and starting without a wait nothing is judged twice here: the handles judge again anyway. */
const hasWaited = ({ phase }: AgentState): boolean =>
  phase.kind === 'acting' && phase.calls.some(({ rounds }) => rounds > 0);

/** Whether everything is still as it was shown. */
async function holds(
  ports: CallPorts,
  place: EventPlace,
  call: number,
  { request, asked, digest, details }: Waiting,
  signal: AbortSignal,
): Promise<boolean> {
  const shown = readCallWith(ports, place, call, asked);
  const { subject } = await describeCall(ports, place, shown, { signal, permitted: 'ask', foreseen: new Map() });
  if (toDigest(subject) === digest) return true;
  const changes = details === null ? [] : describeChanges(ports, details, subject);
  const because = changes.join('; ') || 'what was shown is no longer what would happen';
  ports.recorder.emit(place, { type: 'approval-lapse', call, request, because });
  return false;
}

async function isStillPermitted(
  ports: CallPorts,
  place: EventPlace,
  ready: ReadyCall,
  permitted: 'allow' | 'ask',
): Promise<boolean> {
  const acts = await judgeActs(ports, place, ready);
  const effect = findStrictest(acts)?.verdict.effect ?? 'allow';
  const isPermitted = effect === 'allow' || (effect === 'ask' && permitted === 'ask');
  const { rewrite } = callOf(agentOf(ports.recorder.state, place), ready.call);
  if (!isPermitted) recordVerdicts(ports, place, ready.call, acts.filter(isStricterThanAllow));
  else if (rewrite !== null) recordVerdicts(ports, place, ready.call, acts);
  return isPermitted;
}

const isStricterThanAllow = ({ verdict }: JudgedAct): boolean => verdict.effect !== 'allow';
