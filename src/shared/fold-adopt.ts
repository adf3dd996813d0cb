// What a run loses when it changes hands. Nobody here gave its permissions or its answers, and what was under way was under
// way elsewhere; the conversation and what it cost stay.
import type { EventOf } from './event.ts';
import type { AgentState, CallStage, CallState, RunState } from './run-state.ts';

/** The run came out of a file: from here on it can be read, and not driven. */
export function importRun(state: RunState, { at, source }: EventOf<'run-import'>): void {
  state.imported = { at, source };
  dropClaims(state);
}

/** Somebody here takes the run as theirs, in a workspace named now. */
export function adoptRun(state: RunState, { workspace }: EventOf<'run-adopt'>): void {
  state.imported = null;
  state.settings = {
    ...state.settings,
    workspace,
    policy: null,
    policyHash: '',
    posture: 'defer',
    minimumIsolation: null,
    isolation: null,
    reviewer: null,
    neighbours: [],
  };
  dropClaims(state);
}

function dropClaims(state: RunState): void {
  state.remembered = [];
  state.rewinding = null;
  state.rewound = null;
  state.wishes = { cancelledBy: null, pausedBy: null };
  if (state.plan === 'approved') state.plan = 'wanted';
  for (const agent of Object.values(state.agents)) dropOpen(agent);
}

function dropOpen(agent: AgentState): void {
  // What it saw of files stays, by hash: where they differ in the new place, a change has to look again first.
  agent.steers = [];
  agent.wishes = { cancelledBy: null, pausedBy: null };
  agent.check = null;
  // Somebody else wrote the file that all of it came from.
  agent.label.untrusted ??= { origin: 'repository', target: 'an imported run', step: agent.step };
  if (agent.phase.kind !== 'acting') return;
  for (const call of agent.phase.calls) dropCall(call);
}

function dropCall(call: CallState): void {
  call.stage = toDropped(call);
  call.rewrite = null;
  call.lapsed = null;
  call.staged = null;
}

/** Questions lapse with their answers. What had been started may have taken effect there, and nobody can look from here. */
function toDropped({ stage, staged }: CallState): CallStage {
  if (stage.kind === 'finished') return stage;
  if (staged !== null) return unknown;
  switch (stage.kind) {
    case 'proposed':
    case 'held':
      return stage;
    case 'judged':
    case 'waiting':
      return { kind: 'proposed', unusable: null };
    case 'started':
      return stage.class === 'repeat' ? { kind: 'proposed', unusable: null } : unknown;
    case 'interrupted':
    case 'unsettled':
      return unknown;
  }
}

const unknown: CallStage = { kind: 'interrupted', class: 'indeterminate', change: null, result: null };
