import type { EventOf } from './event.ts';
import { chargeUnknown } from './fold-model.ts';
import type { CallStage, RunState } from './run-state.ts';

/** A new driver takes over: whatever the old one had under way is settled as lost, never as done. */
export function resumeRun(state: RunState, event: EventOf<'run-resume'>): void {
  const {
    provider,
    posture,
    policyHash,
    policy = null,
    minimumIsolation = null,
    isolation = null,
    reviewer = null,
    recovery = null,
    contextTokens,
    price,
  } = event;
  const sameModel = provider.name === state.settings.provider.name && provider.model === state.settings.provider.model;
  state.settings = {
    ...state.settings,
    provider,
    posture,
    policyHash,
    policy,
    minimumIsolation,
    isolation,
    reviewer,
    recovery,
    contextTokens,
    price,
  };
  state.generation += 1;
  // One that came to an end because of pauses goes on without them.
  if (state.outcome?.kind === 'paused') for (const agent of Object.values(state.agents)) agent.wishes.pausedBy = null;
  state.outcome = null;
  state.wishes.pausedBy = null;
  state.rewound = null; // From here on it goes another way.
  for (const agent of Object.values(state.agents)) {
    if (agent.ended !== null) continue;
    if (!sameModel) agent.counted = null; // Another model counts in another way.
    agent.check = null;
    switch (agent.phase.kind) {
      case 'asking':
      case 'failed':
      case 'backing-off':
        chargeUnknown(state, agent);
        agent.phase = { kind: 'ready' };
        agent.step -= 1; // It was not answered, so it is not used up.
        break;
      case 'acting':
        chargeUnknown(state, agent); // A review was under way.
        for (const call of agent.phase.calls) call.stage = takeUpCall(call.stage);
        break;
      case 'ready':
      case 'claiming':
      case 'cut-off':
        break;
    }
    agent.failures = 0;
  }
}

function takeUpCall(stage: CallStage): CallStage {
  switch (stage.kind) {
    case 'judged':
      return { kind: 'proposed', unusable: null };
    case 'started':
      return stage.class === 'repeat' ? { kind: 'proposed', unusable: null } : { ...stage, kind: 'interrupted' };
    case 'waiting':
    case 'unsettled':
      return { ...stage, isDeferred: false };
    case 'proposed':
    case 'held':
    case 'interrupted':
    case 'finished':
      return stage;
  }
}
