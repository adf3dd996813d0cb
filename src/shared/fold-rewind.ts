// What a rewind changes: where the agent's conversation ends, and what the agent knows of files. What was spent, decided,
// remembered, counted as risky or shown stays as it is: none of that has been undone. Steps go on counting, so that no key of
// a call is used twice.
import type { EventOf } from './event.ts';
import { measureContext } from './fold-context.ts';
import { chargeUnknown } from './fold-model.ts';
import type { RewindAim } from './rewind.ts';
import type { AgentState, CallStage, LeftBranch, RunState } from './run-state.ts';

/** The intent: until it is finished nobody drives the run. */
export function startRewind(state: RunState, event: EventOf<'rewind-start'>): void {
  const { seq, actor, aim, changes = null, files, untold } = event;
  state.rewinding = { seq, actor, aim, changes, files, untold };
}

export function finishRewind(state: RunState, agent: AgentState, event: EventOf<'run-rewind'>): void {
  const { rewinding } = state;
  if (rewinding === null) throw new RangeError(`Run ${state.runId} is not being rewound`);
  const { aim, seq } = rewinding;
  state.rewinding = null;
  switch (aim.kind) {
    case 'step':
      state.rewound = { seq, left: leaveBranch(state, agent), before: state.rewound };
      goBack(state, agent, aim);
      break;
    case 'files':
      state.rewound = { seq, left: null, before: state.rewound };
      break;
    case 'undo':
      if (state.rewound !== null && state.rewound.left !== null) takeUpBranch(state, agent, state.rewound.left);
      state.rewound = state.rewound?.before ?? null;
      break;
  }
  if (event.outcome !== undefined) state.outcome = event.outcome;
}

/** What is under way is lost first, as by a crash, so that the branch can be taken up again from here. */
function leaveBranch(state: RunState, agent: AgentState): LeftBranch {
  suspend(state, agent);
  const {
    step: _kept,
    agentId: _same,
    label: _grows,
    steers: _unread,
    failures: _none,
    check: _again,
    ...branch
  } = agent;
  return {
    ...branch,
    files: { ...agent.files },
    outcome: state.outcome,
    lastCheck: state.lastCheck,
    cancelledBy: state.wishes.cancelledBy,
  };
}

function suspend(state: RunState, agent: AgentState): void {
  chargeUnknown(state);
  agent.failures = 0;
  agent.check = null;
  switch (agent.phase.kind) {
    case 'asking':
    case 'backing-off':
    case 'failed':
      agent.phase = { kind: 'ready' };
      agent.step -= 1; // It was not answered, so it is not used up.
      break;
    case 'acting':
      for (const call of agent.phase.calls) call.stage = suspendCall(call.stage);
      break;
    case 'ready':
    case 'claiming':
    case 'cut-off':
      break;
  }
}

/** Its question is withdrawn: should the branch be taken up again, it is judged and asked about anew. */
function suspendCall(stage: CallStage): CallStage {
  switch (stage.kind) {
    case 'judged':
    case 'waiting':
      return { kind: 'proposed', unusable: null };
    case 'started':
      return stage.class === 'repeat' ? { kind: 'proposed', unusable: null } : { ...stage, kind: 'interrupted' };
    case 'unsettled':
      return { kind: 'interrupted', class: 'indeterminate', change: stage.change, result: null };
    case 'proposed':
    case 'interrupted':
    case 'finished':
      return stage;
  }
}

function goBack(state: RunState, agent: AgentState, aim: Extract<RewindAim, { kind: 'step' }>): void {
  agent.context = agent.context.slice(0, aim.items);
  agent.compactedBefore = aim.compactedBefore;
  agent.contextBytes = measureContext(agent.context, aim.compactedBefore);
  agent.counted = null;
  agent.phase = { kind: 'ready' };
  agent.claims = 0;
  for (const { path, hash } of aim.seen) {
    if (hash === null) delete agent.files[path];
    else agent.files[path] = hash;
  }
  state.lastCheck = null;
  state.wishes = { cancelledBy: null, pausedBy: null };
}

function takeUpBranch(state: RunState, agent: AgentState, branch: LeftBranch): void {
  const { outcome: _told, lastCheck, cancelledBy, ...own } = branch;
  Object.assign(agent, own);
  state.lastCheck = lastCheck;
  state.wishes.cancelledBy ??= cancelledBy;
}
