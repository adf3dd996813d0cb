// What verdicts, decisions and results change in the calls of a reply.
import type { BlobRef } from './blob-ref.ts';
import type { EventOf } from './event.ts';
import { callOf } from './find-in-run.ts';
import { addToContext } from './fold-context.ts';
import type { AgentState, CallState } from './run-state.ts';

/** A call with several acts is as strict as the strictest of them. */
export function judgeAct(call: CallState, event: EventOf<'act-judged'>): void {
  const { stage } = call;
  const harder = { allow: 0, ask: 1, deny: 2 };
  if (stage.kind === 'judged' && harder[stage.effect] >= harder[event.effect]) return;
  if (stage.kind === 'waiting' && event.effect !== 'deny') return;
  call.stage = { kind: 'judged', effect: event.effect, because: event.because ?? '' };
}

export function decideRequest(agent: AgentState, event: EventOf<'approval-decision'>): void {
  if (agent.phase.kind !== 'acting' || event.decision === 'defer') return;
  for (const { stage } of agent.phase.calls) {
    if (stage.kind === 'waiting' && stage.request === event.request) stage.decision = event.decision;
  }
}

export function finishCall(agent: AgentState, event: EventOf<'call-finish'>): void {
  const call = callOf(agent, event.call);
  call.stage = { kind: 'finished', status: event.status };
  for (const file of event.seen) agent.files[file.path] = file.hash;
  if (event.changed) agent.claims = 0;
  const blob: BlobRef = event.shown ?? event.result;
  const { tool, target, result: whole } = event;
  addToContext(agent, { role: 'result', blob, callId: call.id, call: event.call, tool, target, whole });
}
