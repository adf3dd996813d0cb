// Carries out one planned action. Each ends with events that move the state on, so that the next plan is another one.
import { assertNever } from '../../shared/assert-never.ts';
import type { EventOf, EventPlace } from '../../shared/event.ts';
import { agentOf, callOf } from '../../shared/find-in-run.ts';
import type { AgentId } from '../../shared/id.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { Action } from './action.ts';
import { settleWorktree } from './agents/merge-worktree.ts';
import { releaseCall, toReportsText } from './agents/release-call.ts';
import { askModel } from './ask-model.ts';
import { describeLoop } from './describe-loop.ts';
import type { DriverPorts } from './driver-ports.ts';
import { finishCall } from './finish-call.ts';
import { judgeCall } from './judge-call.ts';
import { findCall, readCall } from './proposed-call.ts';
import { raiseRequests } from './raise-requests.ts';
import { reviewCall } from './review-call.ts';
import { runCheck } from './run-check.ts';
import { settleCall } from './settle-call.ts';
import { readStaged } from './staged-call.ts';
import { startCalls } from './start-calls.ts';
import { voidAnswer } from './void-answer.ts';

/** The others are no work: they say why there is none. */
export type PerformableAction = Exclude<Action, { kind: 'stop' | 'end' | 'wait' | 'await-answer' }>;

export async function perform(ports: DriverPorts, action: PerformableAction, signal: AbortSignal): Promise<void> {
  const { recorder } = ports;
  const place: EventPlace = { agentId: action.agentId, step: agentOf(recorder.state, action).step };
  switch (action.kind) {
    case 'reason':
      return askModel(ports, action, signal);
    case 'judge':
      return judgeCall(ports, action);
    case 'request':
      return raiseRequests(ports, action, signal);
    case 'review':
      return reviewCall(ports, action, signal);
    case 'start':
      return startCalls(ports, action, signal);
    case 'answer':
      return answerCall(ports, place, action);
    case 'settle':
      return settleCall(ports, action);
    case 'finish-step':
      return finishStep(ports, place);
    case 'show-steer':
      return showSteer(ports, place);
    case 'explain-cut':
      return endStepWith(ports, place, 'reply-unusable', cutOffText);
    case 'compact': {
      const { kind: _, agentId: _agent, ...compaction } = action;
      return recorder.emit(place, { type: 'context-compact', ...compaction });
    }
    case 'check':
      return runCheck(ports, action, signal);
    case 'show-evidence':
      return showEvidence(ports, place);
    case 'show-loop':
      return showLoop(ports, place, action);
    case 'release':
      return releaseCall(ports, place, action.call);
    case 'show-reports':
      return showReports(ports, place, action.agents);
    default:
      return assertNever(action);
  }
}

async function answerCall(
  ports: DriverPorts,
  place: EventPlace,
  action: Extract<Action, { kind: 'answer' }>,
): Promise<void> {
  if (voidAnswer(ports, place, action.call)) return;
  const { tool } = findCall(ports, place, action.call);
  const target = action.status === 'denied' ? readCall(ports, place, action.call).target : '';
  const end = { call: action.call, tool, target, status: action.status };
  const { staged } = callOf(agentOf(ports.recorder.state, place), action.call);
  if (staged !== null) {
    const { text, changes } = readStaged(ports.reader, staged);
    const refusal = `None of the changes it left was made (${changes.length}): ${action.because}`;
    const told = await settleWorktree(ports, place, action.call, { text: `${text}\n${refusal}`, status: end.status });
    finishCall(ports, place, { ...end, ...told, because: refusal, origin: 'command' });
    return;
  }
  const text = action.status === 'denied' ? `Not allowed: ${action.because}` : action.because;
  finishCall(ports, place, { ...end, text, origin: 'engine' });
}

async function finishStep({ recorder, clock, watchPolicy }: DriverPorts, place: EventPlace): Promise<void> {
  const notice = await watchPolicy();
  if (notice !== null) recorder.emit(place, { type: 'policy-notice', ...notice });
  recorder.emit(place, { type: 'step-finish', activeMs: clock.activeMs() });
}

function showLoop(
  { recorder }: DriverPorts,
  place: EventPlace,
  { loop, count }: Extract<Action, { kind: 'show-loop' }>,
): void {
  const content = createBlob(describeLoop(loop, count), { origin: 'engine' });
  recorder.emit(place, { type: 'observation', kind: 'repetition', content: content.ref }, [content]);
}

/** One that had ended its turn has another. */
function showSteer({ recorder, clock }: DriverPorts, place: EventPlace): void {
  const { steers, phase } = agentOf(recorder.state, place);
  const [content] = steers;
  if (content === undefined) return;
  recorder.emit(place, { type: 'observation', kind: 'steer', content });
  if (phase.kind === 'claiming') recorder.emit(place, { type: 'step-finish', activeMs: clock.activeMs() });
}

async function showReports(ports: DriverPorts, place: EventPlace, agents: readonly AgentId[]): Promise<void> {
  await ports.recorder.commit(); // What they have just said is read out of the journal.
  const text = toReportsText(ports.reader, ports.recorder.state, agents);
  const content = createBlob(text, { origin: 'agent', redactor: ports.redactor });
  const told = { kind: 'agent-reports', content: content.ref } as const;
  ports.recorder.emit(place, { type: 'observation', ...told, agents: [...agents] }, [content]);
  ports.recorder.emit(place, { type: 'step-finish', activeMs: ports.clock.activeMs() });
}

function showEvidence(ports: DriverPorts, place: EventPlace): void {
  const { check } = agentOf(ports.recorder.state, place);
  if (check === null || check.evidence === null) return;
  const evidence = new TextDecoder().decode(ports.reader.readBlob(check.evidence.hash));
  endStepWith(ports, place, 'check-evidence', toEvidenceText(check.summary, evidence));
}

export const toEvidenceText = (summary: string, evidence: string): string =>
  `The check did not pass. ${summary}\n\n${evidence}`;

function endStepWith(
  { recorder, clock, redactor }: DriverPorts,
  place: EventPlace,
  kind: EventOf<'observation'>['kind'],
  text: string,
): void {
  const content = createBlob(text, { origin: kind === 'check-evidence' ? 'command' : 'engine', redactor });
  recorder.emit(place, { type: 'observation', kind, content: content.ref }, [content]);
  recorder.emit(place, { type: 'step-finish', activeMs: clock.activeMs() });
}

export const cutOffText =
  'Your reply was cut off, by its output limit or by a filter of the provider, before it was complete, so it does not count. Go on in smaller parts.';
