// The state of a run: what its events add up to. It holds counters and references, never texts, and is plain JSON, so that
// a snapshot of it can be sent anywhere and folded on from there.
import type { Effect } from './act.ts';
import type { AgentWorktree } from './agent-worktree.ts';
import type { RememberedRule } from './approval.ts';
import type { BlobRef } from './blob-ref.ts';
import type { ContextItem } from './context-item.ts';
import type {
  CheckResult,
  CheckTrigger,
  FileChange,
  Posture,
  ProviderChoice,
  ProviderFailureClass,
  RecoveryClass,
  Reservation,
} from './event.ts';
import type { AgentId, BlobHash, RunId } from './id.ts';
import type { LeftOut } from './left-out.ts';
import type { LoopCounts } from './loop-counts.ts';
import type { RunOutcome } from './outcome.ts';
import type { Label, LabelSource } from './provenance.ts';
import type { RecoveryChoice, RecoveryPolicy } from './recovery.ts';
import type { PutBackFile, RewindAim } from './rewind.ts';
import type { Budgets, TreeCaps } from './task-contract.ts';
import type { Price, Usage } from './usage.ts';

export interface RunState {
  readonly runId: RunId;
  /** Sequence number of the last event folded in. */
  seq: number;
  startedAt: number;
  lastAt: number;
  /** How often a driver has taken the run up: 1 at its start. */
  generation: number;
  /** Wall time in which a driver was at work, in milliseconds. */
  activeMs: number;
  settings: RunSettings;
  ledger: LedgerState;
  /** Started calls of which at least one act was judged ask. */
  riskyActs: number;
  agents: Record<AgentId, AgentState>;
  /** `wanted`: nothing is written or run before a person has approved a plan. */
  plan: 'none' | 'wanted' | 'approved';
  /** Rules that people had remembered while this run was on, each with the event that says so. */
  remembered: { rule: RememberedRule; seq: number }[];
  /** The events of calls that were refused, at most a hundred. */
  denied: number[];
  /** Paths of the workspace that calls of the run have made different. */
  changed: string[];
  /** Who changed each of them last. Empty where the contract has one agent work alone. */
  writers: Record<string, FileWriter>;
  /** What people have asked for. A pause ends when the run is taken up again, a cancel only when it is rewound. */
  wishes: Wishes;
  outcome: RunOutcome | null;
  /** It came out of a file and nobody has taken it as theirs: it can be read, and not driven. */
  imported: { at: number; source: string } | null;
  /** The run it began as a fork of, and what that had spent by then; null for none. */
  forkedFrom: { run: RunId; step: number; spent: { usage: Usage; costUsd: number | null } } | null;
  /** What the last check of the run found, for whoever reads its result. */
  lastCheck: { result: CheckResult; summary: string; evidence: BlobRef } | null;
  /** A rewind that has been begun; null while there is none. Whoever comes next finishes it before anything else. */
  rewinding: PendingRewind | null;
  /** The last rewind, which can be undone; null when the run has gone on since. */
  rewound: Rewound | null;
}

export interface FileWriter {
  readonly agentId: AgentId;
  readonly step: number;
  /** Of what was written; null where a command has changed it. */
  readonly hash: BlobHash | null;
  /** What the writer had been shown that nobody else should see; null for nothing. */
  readonly sensitive: LabelSource | null;
}

export interface Wishes {
  cancelledBy: string | null;
  pausedBy: string | null;
}

export interface PendingRewind {
  /** Sequence number of the event that began it. */
  readonly seq: number;
  readonly actor: string;
  readonly aim: RewindAim;
  readonly changes: BlobRef | null;
  readonly files: readonly PutBackFile[];
  readonly untold: number;
}

export interface Rewound {
  readonly seq: number;
  /** Where the agent stood; null where only files were put back. */
  readonly left: LeftBranch | null;
  /** The one before it. */
  readonly before: Rewound | null;
}

/** What an undone rewind gives back. */
export interface LeftBranch
  extends Pick<
    AgentState,
    | 'phase'
    | 'context'
    | 'compactedBefore'
    | 'leftOut'
    | 'contextBytes'
    | 'counted'
    | 'files'
    | 'claims'
    | 'children'
    | 'mailbox'
  > {
  /** The agents that ended with it, and how they had ended before. */
  readonly below: readonly Pick<AgentState, 'agentId' | 'ended'>[];
  /** Those of whose ends it had been told. */
  readonly told: readonly AgentId[];
  readonly outcome: RunOutcome | null;
  readonly lastCheck: RunState['lastCheck'];
  readonly cancelledBy: string | null;
}

export interface RunSettings {
  title: string;
  contract: BlobRef;
  workspace: { path: string; device: string; inode: string };
  verification: string;
  budgets: Budgets;
  provider: ProviderChoice;
  posture: Posture;
  policyHash: string;
  /** The scopes the policy was composed of; null in runs of before there were any. */
  policy: BlobRef | null;
  /** The weakest isolation a command of the model may run in; null: the model runs none. */
  minimumIsolation: string | null;
  isolation: string | null;
  /** The model that answers asks; null: none does. */
  reviewer: string | null;
  /** Who settles calls of which nobody can know what became; null: it follows from the posture. */
  recovery: RecoveryPolicy | null;
  contextTokens: number;
  maxOutputTokens: number;
  toolBytes: number;
  price: Price | null;
  neighbours: readonly RunId[];
  /** What spawned agents are held to; null: none may be spawned. */
  containment: TreeCaps | null;
}

/** What an agent has spent with all that work for it, what may have been spent, and what is set aside for open requests. */
export interface LedgerState {
  settled: Usage;
  /** Null while a reply without a known price was settled. */
  costUsd: number | null;
  /** Requests that may have been billed although no reply was kept, at their reserved worst case. */
  unknown: { requests: number; tokens: number; costUsd: number | null };
  outstanding: { requests: number; tokens: number; costUsd: number };
}

export interface AgentState {
  readonly agentId: AgentId;
  /** What it works on for another agent; null for the root, which has the contract of the run. */
  readonly assignment: Assignment | null;
  /** Those it has spawned, in that order, also those that have ended. */
  children: AgentId[];
  /** The step the agent is in; the number of replies it has asked for. */
  step: number;
  phase: AgentPhase;
  /** Failed attempts at the reply that is being asked for. */
  failures: number;
  context: ContextItem[];
  /** Results before this position are shown as pointers. */
  compactedBefore: number;
  /** Turns that are not shown at all. */
  leftOut: LeftOut;
  contextBytes: number;
  /** Tokens of the last request and its reply as the provider counted them, and what has come since. */
  counted: { tokens: number; bytesSince: number; itemsSince: number } | null;
  /** What the agent last saw of each file it read or wrote. */
  files: Record<string, BlobHash>;
  /** Where what it was shown came from. */
  label: Label;
  /** Turns it ended without calls, since it last changed the workspace. */
  claims: number;
  check: CheckState | null;
  /** What people said to it and it was not shown yet. */
  steers: BlobRef[];
  /** The worst case of its open request. */
  reserved: Reservation | null;
  /** What people have asked of it and of all that work for it; what they ask of the root concerns the run. */
  wishes: Wishes;
  /** What it does over and over while nothing changes. */
  loops: LoopCounts;
  /** What other agents said to it and it has not read yet. */
  mailbox: Mail[];
  /** How it ended, and what it left to be told; null while it is at work, and always for the root. */
  ended: { outcome: RunOutcome; report: BlobRef | null } | null;
}

/** An agent's place in the tree, and what stands there for the contract. */
export interface Assignment {
  readonly parent: AgentId;
  /** Generations below the root. */
  readonly depth: number;
  /** The step of the parent and the call in it that asked for the agent. */
  readonly step: number;
  readonly call: number;
  readonly title: string;
  readonly task: BlobRef;
  readonly verification: string;
  budgets: Budgets;
  readonly tools: readonly string[];
  readonly toolBytes: number;
  /** Null: that of the run. */
  readonly model: string | null;
  readonly price: Price | null;
  /** Active time of the run when it was spawned. */
  readonly startedActiveMs: number;
  /** Nobody waits for it; its parent is told of it later. */
  readonly isDetached: boolean;
  /** Its parent has been told how it ended. */
  isCollected: boolean;
  readonly ledger: LedgerState;
  /** Where it works, with all that work for it; null: where its parent does. */
  readonly worktree: WorktreeState | null;
}

/** What was changed in it is kept apart from what was changed in the workspace. */
export interface WorktreeState extends AgentWorktree, Pick<RunState, 'changed' | 'writers'> {}

export interface Mail {
  readonly from: AgentId;
  readonly content: BlobRef;
  /** What the sender had been shown when it wrote that. */
  readonly label: Label;
}

export type AgentPhase =
  | { kind: 'ready' }
  | { kind: 'asking'; attempt: number }
  /** Until the run has been active so long: a wall clock may jump. */
  | { kind: 'backing-off'; attempt: number; untilActiveMs: number }
  | { kind: 'failed'; failure: ProviderFailureClass; message: string }
  | { kind: 'acting'; calls: CallState[] }
  /** The model ended its turn without calls. */
  | { kind: 'claiming' }
  /** The output limit or a filter cut a reply off before it said anything that could be carried out. */
  | { kind: 'cut-off' };

export interface CheckState {
  trigger: CheckTrigger;
  /** Null while it runs. */
  result: CheckResult | null;
  summary: string;
  evidence: BlobRef | null;
}

export interface CallState {
  readonly call: number;
  readonly id: string;
  readonly tool: string;
  /** The same for the same tool with the same arguments; null in runs of before it was kept. */
  readonly fingerprint: string | null;
  stage: CallStage;
  /** How often people were asked about it. */
  rounds: number;
  /** How often it was asked what became of it. */
  recoveries: number;
  /** The arguments somebody gave it in place of the model's; null: as the model wrote them. */
  rewrite: BlobRef | null;
  /** What was shown with the question that lapsed last; null for none. */
  lapsed: BlobRef | null;
  /** What a command of it has left that is to be judged and made; null: nothing, or it has not run. */
  staged: StagedResult | null;
  /** A read of it was asked about: what comes of it is not for everybody. */
  isSensitive: boolean;
}

/** A command that has run, while its changes to the workspace have not been made. */
export interface StagedResult {
  readonly changes: BlobRef;
  readonly result: BlobRef;
  readonly status: 'ok' | 'failed';
  readonly durationMs: number;
  /** How often it was begun to make the changes: after a crash some of them may be made. */
  starts: number;
}

export type CallStage =
  | { kind: 'proposed'; unusable: string | null }
  | { kind: 'judged'; effect: Effect; because: string }
  | {
      kind: 'waiting';
      request: string;
      digest: string | null;
      details: BlobRef | null;
      /** The arguments that the question is about, where they are not the model's: those of an earlier answer. */
      asked: BlobRef | null;
      because: string;
      answer: ApprovalAnswer | null;
      /** Somebody looked and left it open; a run that waits for answers need not wait for this one. */
      isDeferred: boolean;
      /** Another model was asked; what it left open is for people. */
      isReviewed: boolean;
    }
  /** It waits for other agents, and has nothing else to do until then. */
  | {
      kind: 'held';
      until: HeldUntil;
      untilActiveMs: number | null;
      /** It waits long enough to be no polling. */
      isPatient: boolean;
    }
  | { kind: 'started'; class: RecoveryClass; change: FileChange | null; result: BlobRef | null }
  /** Started by a driver that is gone, and not provably safe to repeat unseen. */
  | { kind: 'interrupted'; class: RecoveryClass; change: FileChange | null; result: BlobRef | null }
  /** Nobody can know whether it took effect, and a person is to say how to go on. */
  | {
      kind: 'unsettled';
      request: string;
      change: FileChange | null;
      because: string;
      answer: RecoveryAnswer | null;
      /** Somebody looked and left it open; a run that waits for people need not wait for this one. */
      isDeferred: boolean;
    }
  | { kind: 'finished'; status: string };

export type HeldUntil = { kind: 'agents'; agents: readonly AgentId[] } | { kind: 'mail' };

/** What a person decided about a call that a crash interrupted. */
export interface RecoveryAnswer {
  decision: Exclude<RecoveryChoice, 'defer'>;
  actor: string;
  reason: string | null;
  result: BlobRef | null;
  /** Sequence number of the event that says so: with it the driver can see whether it is genuine. */
  seq: number;
}

/** What was answered to a request, and what makes it count. */
export interface ApprovalAnswer {
  decision: 'approve' | 'deny';
  actor: string;
  reason: string | null;
  /** Sequence number of the event that says so: with it the driver can see whether it is genuine. */
  seq: number;
  /** Digest of what whoever answered was shown; null: of whatever stood there. */
  digest: string | null;
  rewrite: BlobRef | null;
}
