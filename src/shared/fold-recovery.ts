// What is asked and answered about a call that a crash interrupted.
import type { EventOf } from './event.ts';
import type { AgentState, CallState } from './run-state.ts';

export function raiseRecovery(call: CallState, event: EventOf<'recovery-request'>): void {
  const { request, because, round = 1 } = event;
  const change = 'change' in call.stage ? call.stage.change : null;
  call.recoveries = round;
  call.stage = { kind: 'unsettled', request, change, because, answer: null, isDeferred: false };
}

/** The first answer counts, and only while its question is open. */
export function decideRecovery({ phase }: AgentState, event: EventOf<'recovery-decision'>): void {
  const { request, decision, actor, reason = null, result = null, seq } = event;
  for (const { stage } of phase.kind === 'acting' ? phase.calls : []) {
    if (stage.kind !== 'unsettled' || stage.request !== request || stage.answer !== null) continue;
    if (decision === 'defer') stage.isDeferred = true;
    else stage.answer = { decision, actor, reason, result, seq };
  }
}
