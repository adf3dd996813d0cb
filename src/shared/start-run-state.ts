// The state of a run that has just begun.
import type { EventOf } from './event.ts';
import { rootAgentId } from './id.ts';
import { addToLabel, emptyLabel, type Label } from './provenance.ts';
import type { AgentState, RunState } from './run-state.ts';
import { noUsage } from './usage.ts';

export function startRunState(event: EventOf<'run-start'>): RunState {
  const { title, contract, workspace, verification, budgets, provider, posture, policyHash } = event;
  const { policy = null, minimumIsolation = null, isolation = null, reviewer = null } = event;
  const { recovery = null, plansFirst = false } = event;
  const { contextTokens, maxOutputTokens, toolBytes, price, neighbours } = event;
  return {
    runId: event.runId,
    seq: event.seq,
    startedAt: event.at,
    lastAt: event.at,
    generation: 1,
    activeMs: 0,
    settings: {
      title,
      contract,
      workspace,
      verification,
      budgets,
      provider,
      posture,
      policyHash,
      policy,
      minimumIsolation,
      isolation,
      reviewer,
      recovery,
      contextTokens,
      maxOutputTokens,
      toolBytes,
      price,
      neighbours,
    },
    ledger: {
      settled: noUsage,
      costUsd: price === null ? null : 0,
      unknown: { requests: 0, tokens: 0, costUsd: price === null ? null : 0 },
      reserved: null,
    },
    riskyActs: 0,
    agents: { [rootAgentId]: startAgent(event) },
    plan: plansFirst ? 'wanted' : 'none',
    remembered: [],
    denied: [],
    changed: [],
    wishes: { cancelledBy: null, pausedBy: null },
    outcome: null,
    imported: null,
    forkedFrom: null,
    lastCheck: null,
    rewinding: null,
    rewound: null,
  };
}

function startAgent(event: EventOf<'run-start'>): AgentState {
  return {
    agentId: event.agentId,
    step: 0,
    phase: { kind: 'ready' },
    failures: 0,
    context: [
      { role: 'system', blob: event.system },
      { role: 'user', blob: event.prompt },
    ],
    compactedBefore: 0,
    contextBytes: event.system.bytes + event.prompt.bytes,
    counted: null,
    files: {},
    label: startLabel(event),
    claims: 0,
    check: null,
    steers: [],
  };
}

function startLabel({ prompt }: EventOf<'run-start'>): Label {
  const label = emptyLabel();
  addToLabel(label, { origin: prompt.origin, target: 'contract', step: 0 }, false);
  return label;
}
