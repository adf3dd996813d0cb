// The state of a run that has just begun.
import type { BlobRef } from './blob-ref.ts';
import type { EventOf } from './event.ts';
import { type AgentId, rootAgentId } from './id.ts';
import { nothingLeftOut } from './left-out.ts';
import { noLoop } from './loop-counts.ts';
import { addToLabel, emptyLabel, type Label } from './provenance.ts';
import type { AgentState, Assignment, LedgerState, RunState } from './run-state.ts';
import { noUsage, type Price } from './usage.ts';

export function startRunState(event: EventOf<'run-start'>): RunState {
  const { title, contract, workspace, verification, budgets, provider, posture, policyHash } = event;
  const { policy = null, minimumIsolation = null, isolation = null, reviewer = null } = event;
  const { recovery = null, plansFirst = false, containment = null } = event;
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
      containment,
    },
    ledger: startLedger(price),
    riskyActs: 0,
    agents: {
      [rootAgentId]: startAgent({ ...event, agentId: rootAgentId, label: startLabel(event), assignment: null }),
    },
    plan: plansFirst ? 'wanted' : 'none',
    remembered: [],
    denied: [],
    changed: [],
    writers: {},
    wishes: { cancelledBy: null, pausedBy: null },
    outcome: null,
    imported: null,
    forkedFrom: null,
    lastCheck: null,
    rewinding: null,
    rewound: null,
  };
}

export interface AgentStart {
  readonly agentId: AgentId;
  readonly system: BlobRef;
  readonly prompt: BlobRef;
  readonly label: Label;
  readonly assignment: Assignment | null;
}

export function startAgent({ agentId, system, prompt, label, assignment }: AgentStart): AgentState {
  return {
    agentId,
    assignment,
    children: [],
    step: 0,
    phase: { kind: 'ready' },
    failures: 0,
    context: [
      { role: 'system', blob: system },
      { role: 'user', blob: prompt },
    ],
    compactedBefore: 0,
    leftOut: nothingLeftOut,
    contextBytes: system.bytes + prompt.bytes,
    counted: null,
    files: {},
    label,
    claims: 0,
    check: null,
    steers: [],
    reserved: null,
    wishes: { cancelledBy: null, pausedBy: null },
    loops: noLoop(),
    mailbox: [],
    ended: null,
  };
}

export const startLedger = (price: Price | null): LedgerState => ({
  settled: noUsage,
  costUsd: price === null ? null : 0,
  unknown: { requests: 0, tokens: 0, costUsd: price === null ? null : 0 },
  outstanding: { requests: 0, tokens: 0, costUsd: 0 },
});

function startLabel({ prompt }: EventOf<'run-start'>): Label {
  const label = emptyLabel();
  addToLabel(label, { origin: prompt.origin, target: 'contract', step: 0 }, false);
  return label;
}
