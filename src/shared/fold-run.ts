// The one bookkeeping: from events to the state of the run. The loop, the command line and the windows all use this
// function, so that what a person sees is what the engine decides by.
import { assertNever } from './assert-never.ts';
import type { JournalEvent } from './event.ts';
import { agentOf, callOf } from './find-in-run.ts';
import { adoptRun, importRun } from './fold-adopt.ts';
import { collectAgents, finishAgent, holdCall, raiseCeiling, sendMail, spawnAgent, wishesOf } from './fold-agent.ts';
import {
  decideRequest,
  exitProcess,
  finishCall,
  finishReview,
  judgeAct,
  lapseRequest,
  raiseRequest,
  stageCall,
  startCall,
} from './fold-call.ts';
import { addToContext, compactContext } from './fold-context.ts';
import { carryContext, forkRun } from './fold-fork.ts';
import { chargeUnknown, failModel, finishModel, setAside, settleReview } from './fold-model.ts';
import { decideRecovery, raiseRecovery } from './fold-recovery.ts';
import { resumeRun } from './fold-resume.ts';
import { finishRewind, startRewind } from './fold-rewind.ts';
import { addToLabel } from './provenance.ts';
import type { RunState } from './run-state.ts';
import { startRunState } from './start-run-state.ts';

/**
 * Folds events, in order and without gaps, into a state. Starts from nothing or from `state`, which is changed in place and
 * returned: pass a copy to keep the old one.
 */
export function foldRun(state: RunState | null, events: readonly JournalEvent[]): RunState | null {
  let current = state;
  for (const event of events) {
    if (current === null) {
      if (event.type !== 'run-start') throw new RangeError(`A run begins with run-start, not with ${event.type}`);
      current = startRunState(event);
    } else {
      applyEvent(current, event);
    }
  }
  return current;
}

/** Changes `state` by one event. */
export function applyEvent(state: RunState, event: JournalEvent): void {
  state.seq = event.seq;
  state.lastAt = event.at;
  if ('activeMs' in event) state.activeMs = event.activeMs;
  const agent = agentOf(state, event);
  switch (event.type) {
    case 'run-start':
      throw new RangeError('A run starts once');
    case 'run-resume':
      resumeRun(state, event);
      break;
    case 'model-start':
      agent.step = event.step;
      agent.phase = { kind: 'asking', attempt: event.attempt };
      setAside(state, agent, event.reservation);
      break;
    case 'model-finish':
      finishModel(state, agent, event);
      break;
    case 'model-fail':
      failModel(state, agent, event);
      break;
    case 'act-judged':
      judgeAct(callOf(agent, event.call), event);
      break;
    case 'approval-request':
      raiseRequest(callOf(agent, event.call), event);
      break;
    case 'approval-lapse':
      lapseRequest(callOf(agent, event.call), event);
      break;
    case 'review-start':
      setAside(state, agent, event.reservation);
      break;
    case 'review-finish':
      settleReview(state, agent, event);
      finishReview(agent, event);
      break;
    case 'policy-notice':
    case 'run-takeover':
    case 'sandbox-create':
    case 'sandbox-cap':
    case 'sandbox-exit':
    case 'sandbox-net':
    case 'fetch-hop':
      break;
    case 'process-exit':
      exitProcess(state, agent, event);
      break;
    case 'call-stage':
      stageCall(callOf(agent, event.call), event);
      break;
    case 'call-start':
      startCall(state, agent, event);
      break;
    case 'call-finish':
      finishCall(state, agent, event);
      break;
    case 'step-finish':
      agent.phase = { kind: 'ready' };
      agent.failures = 0;
      agent.check = null;
      break;
    case 'observation':
      if (event.kind === 'steer') agent.steers.shift();
      if (event.kind === 'repetition') agent.loops.isTold = true;
      collectAgents(state, agent, event.agents ?? []);
      addToLabel(agent.label, { origin: event.content.origin, target: event.kind, step: event.step }, false);
      addToContext(agent, { role: 'user', blob: event.content });
      break;
    case 'check-start':
      agent.check = { trigger: event.trigger, result: null, summary: '', evidence: null };
      break;
    case 'check-finish':
      agent.check = {
        trigger: event.trigger,
        result: event.result,
        summary: event.summary,
        evidence: event.evidence,
      };
      // What was found of a spawned agent's task says nothing about the contract.
      if (agent.assignment !== null) break;
      state.lastCheck = { result: event.result, summary: event.summary, evidence: event.evidence };
      break;
    case 'context-compact':
      compactContext(agent, event);
      break;
    case 'run-finish':
      state.outcome = event.outcome;
      for (const each of Object.values(state.agents)) chargeUnknown(state, each); // A review was cut off.
      break;
    case 'run-import':
      importRun(state, event);
      break;
    case 'run-adopt':
      adoptRun(state, event);
      break;
    case 'run-fork':
      forkRun(state, agent, event);
      break;
    case 'fork-context':
      carryContext(agent, event);
      break;
    case 'rewind-start':
      startRewind(state, event);
      break;
    case 'run-rewind':
      finishRewind(state, agent, event);
      break;
    case 'approval-decision':
      decideRequest(state, agent, event);
      break;
    case 'agent-spawn':
      spawnAgent(state, agent, event);
      break;
    case 'agent-finish':
      chargeUnknown(state, agent); // It was cut off in the middle.
      finishAgent(agent, event);
      break;
    case 'call-hold':
      holdCall(state, agent, event);
      break;
    case 'mail-send':
      sendMail(state, agent, event);
      break;
    case 'run-steer':
      agentOf(state, { agentId: event.agent ?? event.agentId }).steers.push(event.content);
      break;
    case 'run-pause':
      wishesOf(state, event.agent).pausedBy = event.actor;
      break;
    case 'agent-resume':
      wishesOf(state, event.agent).pausedBy = null;
      break;
    case 'run-cancel':
      wishesOf(state, event.agent).cancelledBy = event.actor;
      break;
    case 'ceiling-raise':
      raiseCeiling(state, event);
      break;
    case 'recovery-request':
      raiseRecovery(callOf(agent, event.call), event);
      break;
    case 'recovery-decision':
      decideRecovery(agent, event);
      break;
    default:
      assertNever(event);
  }
}
