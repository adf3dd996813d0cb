// What verdicts, questions, answers and results change in the calls of a reply.
import { strictness } from './act.ts';
import type { BlobRef } from './blob-ref.ts';
import type { EventOf } from './event.ts';
import { callOf } from './find-in-run.ts';
import { collectAgents, readMail } from './fold-agent.ts';
import { addToContext } from './fold-context.ts';
import { changeFiles, type FilesChanged, seeFiles } from './fold-files.ts';
import { countCall, noLoop } from './loop-counts.ts';
import { addToLabel } from './provenance.ts';
import type { AgentState, ApprovalAnswer, CallState, RunState } from './run-state.ts';

/** The call that a person's approval carries out: with it the plan gate opens. */
export const planToolName = 'propose_plan';

/** A call with several acts is as strict as the strictest of them, and judged anew it only ever gets stricter. */
export function judgeAct(call: CallState, event: EventOf<'act-judged'>): void {
  const { stage } = call;
  if (event.dropped) return;
  if (event.act === 'read' && event.effect === 'ask') call.isSensitive = true;
  if (stage.kind === 'judged' && strictness[stage.effect] >= strictness[event.effect]) return;
  if (stage.kind === 'waiting' && event.effect !== 'deny') return;
  call.stage = { kind: 'judged', effect: event.effect, because: event.because ?? '' };
}

export function raiseRequest(call: CallState, event: EventOf<'approval-request'>): void {
  const { request, digest = null, details = null, because, round = 1 } = event;
  call.rounds = round;
  call.stage = {
    kind: 'waiting',
    request,
    digest,
    details,
    asked: call.rewrite,
    because,
    answer: null,
    isDeferred: false,
    isReviewed: false,
  };
}

/** The world is no longer as it was shown, or the answer does not count: the question is open again. */
export function lapseRequest(call: CallState, event: EventOf<'approval-lapse'>): void {
  const { stage } = call;
  if (stage.kind !== 'waiting' || stage.request !== event.request) return;
  call.rewrite = stage.asked;
  call.lapsed = stage.details;
  call.stage = { kind: 'judged', effect: 'ask', because: stage.because };
}

export function decideRequest(state: RunState, agent: AgentState, event: EventOf<'approval-decision'>): void {
  const { decision, request, remember, actor, reason = null, digest = null, rewrite = null, seq } = event;
  if (decision === 'defer') {
    defer(agent, request);
    return;
  }
  const counts = answer(agent, request, { decision, actor, reason, digest, rewrite, seq });
  if (counts && remember !== undefined) state.remembered.push({ rule: remember.rule, seq });
}

/** What the reviewing model said; what it left open stays open for people. */
export function finishReview(agent: AgentState, event: EventOf<'review-finish'>): void {
  const { stage } = callOf(agent, event.call);
  const { decision, request, model, reason, seq } = event;
  if (stage.kind !== 'waiting' || stage.request !== request) return;
  stage.isReviewed = true;
  if (decision === 'defer') return;
  answer(agent, request, { decision, actor: `model:${model}`, reason, digest: stage.digest, rewrite: null, seq });
}

function defer({ phase }: AgentState, request: string): void {
  for (const { stage } of phase.kind === 'acting' ? phase.calls : []) {
    if (stage.kind === 'waiting' && stage.request === request) stage.isDeferred = true;
  }
}

/** Whether the answer counts: the first one does, and only while its question is open. */
function answer({ phase }: AgentState, request: string, given: ApprovalAnswer): boolean {
  for (const call of phase.kind === 'acting' ? phase.calls : []) {
    if (call.stage.kind !== 'waiting' || call.stage.request !== request || call.stage.answer !== null) continue;
    call.stage.answer = given;
    call.rewrite = given.rewrite ?? call.stage.asked;
    return true;
  }
  return false;
}

export function startCall(state: RunState, agent: AgentState, event: EventOf<'call-start'>): void {
  if (event.risky) state.riskyActs += 1;
  if (event.tool === planToolName && state.plan === 'wanted') state.plan = 'approved';
  const call = callOf(agent, event.call);
  if (call.staged !== null) call.staged.starts += 1;
  call.stage = {
    kind: 'started',
    class: event.class,
    change: event.change ?? null,
    result: event.result ?? null,
  };
}

/** The command has run; what it left goes the way of a call of its own, from the verdicts on. */
export function stageCall(call: CallState, event: EventOf<'call-stage'>): void {
  const { changes, result, status, durationMs } = event;
  call.staged = { changes, result, status, durationMs, starts: 0 };
  if (result.sensitive) call.isSensitive = true;
  call.lapsed = null;
  call.stage = { kind: 'proposed', unusable: null };
}

/** How many refused calls a run keeps account of, for whoever reads its result. */
const maxDenied = 100;

/** A call of an edit names its one file in its start; for others the event tells the paths. */
function findChanged({ stage }: CallState, paths: readonly string[]): Omit<FilesChanged, 'step'> {
  const own = 'change' in stage ? stage.change : null;
  return own === null ? { paths, hash: null } : { paths: [own.path], hash: own.after?.hash ?? null };
}

/** The workspace is another one than that of the last claim, as after a call that changed it. */
export function exitProcess(state: RunState, agent: AgentState, { changes, untold }: EventOf<'process-exit'>): void {
  const paths = changes.filter(({ became }) => became === 'kept' || became === 'left').map(({ path }) => path);
  changeFiles(state, agent, { paths, step: agent.step, hash: null });
  if (changes.length + untold === 0) return;
  agent.claims = 0;
  agent.loops = noLoop();
}

/** Processes and agents are waited for without a request. */
function isPatient({ stage, tool }: CallState): boolean {
  return tool === 'process_read' || (stage.kind === 'held' && stage.isPatient);
}

export function finishCall(state: RunState, agent: AgentState, event: EventOf<'call-finish'>): void {
  const call = callOf(agent, event.call);
  if (event.changed) changeFiles(state, agent, { ...findChanged(call, event.paths ?? []), step: event.step });
  agent.loops = countCall(agent.loops, { fingerprint: call.fingerprint, isPatient: isPatient(call) }, event);
  call.stage = { kind: 'finished', status: event.status };
  seeFiles(state, agent, event.seen, event.step);
  if (event.changed) agent.claims = 0;
  if (event.status === 'denied' && state.denied.length < maxDenied) state.denied.push(event.seq);
  const blob: BlobRef = event.shown ?? event.result;
  const { tool, target, result: whole } = event;
  addToLabel(agent.label, { origin: whole.origin, target, step: event.step }, whole.sensitive === true);
  collectAgents(state, agent, event.agents ?? []);
  readMail(agent, event.mail ?? 0);
  addToContext(agent, { role: 'result', blob, callId: call.id, call: event.call, tool, target, whole });
}
