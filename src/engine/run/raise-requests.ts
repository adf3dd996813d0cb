// Puts calls to people: all of one reply at once, each with everything it would do. A call that would fail anyway is not
// asked about, it is answered.
import type { JudgedAct } from '../../shared/act.ts';
import type { EventPlace } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import type { RunId } from '../../shared/id.ts';
import { toDigest } from '../approval/to-digest.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { Action } from './action.ts';
import { type DescribedCall, describeCall } from './describe-call.ts';
import type { CallPorts } from './driver-ports.ts';
import { finishCall } from './finish-call.ts';
import { findStrictest, planReason } from './judge-call.ts';
import { readCall } from './proposed-call.ts';
import { describeChanges, toRequestDetails } from './request-details.ts';

export async function raiseRequests(
  ports: CallPorts,
  { agentId, calls }: Extract<Action, { kind: 'request' }>,
  signal: AbortSignal,
): Promise<void> {
  const { recorder } = ports;
  const agent = agentOf(recorder.state, { agentId });
  const place: EventPlace = { agentId, step: agent.step };
  if (agent.phase.kind !== 'acting') return;
  const foreseen = new Map<string, Uint8Array>();
  for (const { call, stage } of [...agent.phase.calls]) {
    if (stage.kind !== 'judged' && stage.kind !== 'waiting') continue;
    const ready = readCall(ports, place, call);
    if (ready.tool.kind === 'read' && !calls.includes(call)) continue;
    const described = await describeCall(ports, place, ready, { signal, permitted: 'ask', foreseen });
    if (calls.includes(call)) raiseRequest(ports, place, described);
    if (described.plan.kind === 'change') foreseen.set(described.plan.path, described.plan.after);
  }
}

function raiseRequest(ports: CallPorts, place: EventPlace, described: DescribedCall): void {
  const { recorder, redactor } = ports;
  const { ready, plan, acts, subject } = described;
  const { call, tool, target } = ready;
  if (plan.kind === 'answer') {
    finishCall(ports, place, { call, tool: tool.name, target, ...plan.result });
    return;
  }
  const asked = findStrictest(acts);
  const { rounds, lapsed } = callOf(agentOf(recorder.state, place), call);
  const round = rounds + 1;
  const differences = lapsed === null ? [] : describeChanges(ports, lapsed, subject);
  const details = toRequestDetails(ports, place, described, differences);
  const blob = createBlob(JSON.stringify(details), { origin: 'engine' });
  recorder.emit(
    place,
    {
      type: 'approval-request',
      call,
      request: toRequestId(recorder.state.runId, place, call, round),
      act: asked?.act.kind ?? 'plan',
      target: redactor.redact(plan.kind === 'apply' ? nameAsked(acts) : target).text,
      because: asked === undefined ? planReason : redactor.redact(asked.verdict.because).text,
      ...(round === 1 ? {} : { round }),
      digest: toDigest(subject),
      details: blob.ref,
    },
    [blob],
  );
}

/** Of what a command has left: its line was another question, and says nothing of these paths. */
function nameAsked(acts: readonly JudgedAct[]): string {
  const [first, ...more] = acts.filter(({ verdict }) => verdict.effect === 'ask').map(({ act }) => act.target);
  return `${first ?? ''}${more.length > 0 ? ` and ${more.length} more` : ''}`;
}

/** Says which call it is about, and which time it is asked: the same question has the same id after a restart. */
function toRequestId(runId: RunId, { agentId, step }: EventPlace, call: number, round: number): string {
  const request = `${runId}:${agentId}:${step}:${call}`;
  return round === 1 ? request : `${request}:${round}`;
}
