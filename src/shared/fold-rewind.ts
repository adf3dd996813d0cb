// What a rewind changes: where the agent's conversation ends, and what the agent knows of files. What was spent, decided,
// remembered, counted as risky or shown stays as it is: none of that has been undone. Steps go on counting, so that no key of
// a call is used twice.
import type { EventOf } from './event.ts';
import { agentOf } from './find-in-run.ts';
import { leaveOut, measureContext } from './fold-context.ts';
import { chargeUnknown } from './fold-model.ts';
import type { AgentId } from './id.ts';
import type { Label } from './provenance.ts';
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
      state.rewound = { seq, left: leaveBranch(state, agent, aim), before: state.rewound };
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
function leaveBranch(state: RunState, agent: AgentState, { ended = [], untold = [] }: StepAim): LeftBranch {
  suspend(state, agent);
  const below = ended.map((agentId) => agentOf(state, { agentId }));
  for (const each of below) if (each.ended === null) suspend(state, each);
  const { phase, context, compactedBefore, leftOut, contextBytes, counted, claims } = agent;
  return {
    ...{ phase, context, compactedBefore, leftOut, contextBytes, counted, claims },
    files: { ...agent.files },
    children: [...agent.children],
    mailbox: [...agent.mailbox],
    below: below.map((each) => ({ agentId: each.agentId, ended: each.ended })),
    told: [...untold],
    outcome: state.outcome,
    lastCheck: state.lastCheck,
    cancelledBy: state.wishes.cancelledBy,
  };
}

function suspend(state: RunState, agent: AgentState): void {
  chargeUnknown(state, agent);
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
    case 'held':
    case 'interrupted':
    case 'finished':
      return stage;
  }
}

type StepAim = Extract<RewindAim, { kind: 'step' }>;

function goBack(state: RunState, agent: AgentState, aim: StepAim): void {
  agent.context = agent.context.slice(0, aim.items);
  agent.compactedBefore = aim.compactedBefore;
  agent.leftOut = leaveOut(agent.context, aim.leftOut ?? 0);
  agent.contextBytes = measureContext(agent);
  agent.counted = null;
  agent.phase = { kind: 'ready' };
  agent.claims = 0;
  for (const { path, hash } of aim.seen) {
    if (hash === null) delete agent.files[path];
    else agent.files[path] = hash;
  }
  goBackBelow(state, agent, aim);
  state.lastCheck = null;
  state.wishes = { cancelledBy: null, pausedBy: null };
}

/** Of agents that were spawned since nobody knows any more; the others that end are told of as of any that has ended. */
function goBackBelow(state: RunState, agent: AgentState, { step, ended = [], untold = [], mail }: StepAim): void {
  for (const agentId of ended) agentOf(state, { agentId }).ended = { outcome: { kind: 'rewound', step }, report: null };
  agent.children = agent.children.filter((agentId) => (agentOf(state, { agentId }).assignment?.step ?? 0) <= step);
  setCollected(state, untold, false);
  if (mail === undefined) return;
  agent.mailbox = mail.map(({ from, content }) => ({
    from,
    content,
    label: copyLabel(agentOf(state, { agentId: from })),
  }));
}

/** What they had been shown has only grown since. */
const copyLabel = ({ label }: AgentState): Label => ({ ...label, origins: [...label.origins] });

function setCollected(state: RunState, agents: readonly AgentId[], isCollected: boolean): void {
  for (const agentId of agents) {
    const { assignment } = agentOf(state, { agentId });
    if (assignment !== null) assignment.isCollected = isCollected;
  }
}

function takeUpBranch(state: RunState, agent: AgentState, branch: LeftBranch): void {
  const { outcome: _said, lastCheck, cancelledBy, below, told, ...own } = branch;
  Object.assign(agent, own);
  for (const { agentId, ended } of below) agentOf(state, { agentId }).ended = ended;
  setCollected(state, told, true);
  state.lastCheck = lastCheck;
  state.wishes.cancelledBy ??= cancelledBy;
}
