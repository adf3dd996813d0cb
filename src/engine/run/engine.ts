// What a host of the engine works with: the command line, the desktop, another app. Everything here is plain data or a
// handle that its owner closes.
import type { DeclaredAct, Effect, JudgedAct, LayerOrigin } from '../../shared/act.ts';
import type {
  ApprovalChoice,
  RememberedRule,
  RememberScope,
  RequestDetails,
  RulePreview,
} from '../../shared/approval.ts';
import type { BlobRef } from '../../shared/blob-ref.ts';
import type { JournalEvent, JudgedKind, Posture } from '../../shared/event.ts';
import type { AgentId, RunId } from '../../shared/id.ts';
import type { LiveUpdate } from '../../shared/live-update.ts';
import type { RunOutcome } from '../../shared/outcome.ts';
import type { RecoveryChoice, RecoveryPolicy } from '../../shared/recovery.ts';
import type { PutBackFile, RewindAim } from '../../shared/rewind.ts';
import type { RunState } from '../../shared/run-state.ts';
import type { TaskContractInput } from '../../shared/task-contract.ts';
import type { Usage } from '../../shared/usage.ts';
import type { RunSummary, TraceRow } from '../journal/journal.ts';
import type { PolicyImport } from '../policy/policy-import.ts';
import type { Simulation } from '../policy/simulate.ts';
import type { ModelProvider } from '../provider/model-provider.ts';
import type { RunControl } from './control/run-control.ts';
import type { StopSignal } from './drive-run.ts';
import type { SandboxReport } from './inspect-sandbox.ts';
import type { StoreEngine } from './store-engine.ts';

export interface EngineOptions {
  /** Directory for journal, keys and settings; by default `IO_STUDIO_HOME` or the platform's place for application state. */
  readonly home?: string | undefined;
  /** Where keys and settings are read from; by default the process environment. None of it reaches a child. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Answers instead of a configured provider: for hosts that bring their own model. The engine does not close it. */
  readonly provider?: ModelProvider;
  /** Answers asks under the posture `model`, for hosts that bring their own. The engine does not close it. */
  readonly reviewer?: ModelProvider;
}

export interface RunSettingsParams {
  /** Model and provider instead of those of contract, journal and environment. */
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  /**
   * Who answers asks: nobody yet (`defer`, the default: the run ends and can be resumed once they are answered), whoever
   * answers while the run waits (`ask`), yes or no to all of them (`all`, `deny`), or another model (`model`).
   */
  readonly approve?: Posture | undefined;
  /** The model that answers asks under `model`; it must be another than the run's own. */
  readonly reviewer?: string | undefined;
  /** A policy file that lies over those of the person and of the workspace; a run keeps it when it is resumed. */
  readonly policyFile?: string | undefined;
  /** The least that commands may be enclosed by; without it what the person's own policy says, which is `isolated` by default. */
  readonly minimumIsolation?: 'isolated' | 'caps-only' | undefined;
  /** Size of the model's context window in tokens; 128,000 by default. */
  readonly contextTokens?: number | undefined;
  /** Drive it although other machines can reach the home: nothing but this machine ever uses it. */
  readonly sharedHome?: 'allow' | undefined;
  /**
   * Who settles a call that a crash interrupted and of which nobody can know whether it took effect: a person (`ask`), or
   * nobody, and the model is told (`tell-model`). By default a person under the postures `ask` and `defer`.
   */
  readonly recovery?: RecoveryPolicy | undefined;
}

/** For a run that goes on: as they are, or chosen by what the run was, which spares whoever has to know it a reading of its own. */
export type ResumeSettings = RunSettingsParams | ((before: RunState) => RunSettingsParams);

export interface StartRunParams extends RunSettingsParams {
  readonly contract: TaskContractInput;
}

export interface UsageReport {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  /** Null: unpriced. */
  readonly costUsd: number | null;
  /** Requests that may have been billed without an answer, at their worst case. */
  readonly unknown: { readonly requests: number; readonly tokens: number; readonly costUsd: number | null };
  readonly steps: number;
  readonly activeMs: number;
}

export interface RunResult {
  readonly runId: RunId;
  readonly outcome: RunOutcome;
  readonly exitCode: number;
  /** What the last check found; null when none ran. */
  readonly evidence: { readonly result: string; readonly summary: string; readonly text: string } | null;
  readonly usage: UsageReport;
  /** Calls that were refused, by policy or by whoever answered; the first hundred. */
  readonly denied: readonly DeniedCall[];
}

export interface DeniedCall {
  readonly step: number;
  readonly call: number;
  readonly tool: string;
  readonly target: string;
  /** What the model was told. */
  readonly because: string;
}

export interface RunHandle {
  readonly runId: RunId;
  /** The run's events from its first one on, in batches, each durable; ends with the run. */
  events(): AsyncIterable<JournalEvent[]>;
  /** Calls `listener` with what is being said right now; returns how to stop that. */
  onLive(listener: (update: LiveUpdate) => void): () => void;
  /** Stops the run where it stands; it can be resumed. */
  interrupt(signal: StopSignal): void;
  /** Settles when the run has ended and its journal is durable. Rejects with an `EngineError` when it has no outcome. */
  readonly result: Promise<RunResult>;
}

/** A question that a run has put to people. */
export interface ApprovalRequest {
  readonly request: string;
  readonly runId: RunId;
  /** First line of the run's goal. */
  readonly title: string;
  readonly agentId: AgentId;
  readonly step: number;
  readonly call: number;
  readonly act: JudgedKind;
  readonly target: string;
  readonly because: string;
  /** Wall clock in milliseconds since 1970. */
  readonly raisedAt: number;
  /** An answer names it, so that it is an answer to just what was shown. */
  readonly digest: string;
  readonly details: RequestDetails;
  /** Null while nobody has answered. */
  readonly answer: { readonly decision: ApprovalChoice; readonly actor: string; readonly at: number } | null;
}

export interface DecideParams {
  readonly request: string;
  readonly decision: ApprovalChoice;
  /** Who decides, as the trace will name them: `person:ada@terminal`. */
  readonly actor: string;
  /** Digest of what was shown, or enough of its head to be unmistakable; without it that of the request as it stands. */
  readonly digest?: string | undefined;
  /** Other arguments for the call, in place of the model's. */
  readonly rewrite?: unknown;
  /** Remember a rule for the like of it; without `pattern` the narrowest one that the request proposes. */
  readonly remember?: { readonly scope: RememberScope; readonly pattern?: string | undefined } | undefined;
  /** Shown to the model with a denial. */
  readonly reason?: string | undefined;
}

export interface Decided {
  readonly request: string;
  readonly runId: RunId;
  readonly decision: ApprovalChoice;
  readonly remembered: {
    readonly scope: RememberScope;
    readonly rule: RememberedRule;
    /** Where it stands now; null for a run. */
    readonly file: string | null;
    readonly preview: RulePreview;
    /** The pattern of a stricter rule of the same file, because of which this one changes nothing; null for none. */
    readonly overruledBy: string | null;
  } | null;
}

/** A call that a crash interrupted, and of which a person is to say what became. */
export interface RecoveryRequest {
  readonly request: string;
  readonly runId: RunId;
  /** First line of the run's goal. */
  readonly title: string;
  readonly agentId: AgentId;
  readonly step: number;
  readonly call: number;
  readonly tool: string;
  readonly target: string;
  /** As JSON; secrets are masked. */
  readonly arguments: string;
  readonly because: string;
  /** When the call was started and when the question was raised, in milliseconds since 1970. */
  readonly startedAt: number;
  readonly raisedAt: number;
  /** Null while nobody has decided. */
  readonly answer: {
    readonly decision: Exclude<RecoveryChoice, 'defer'>;
    readonly actor: string;
    readonly at: number;
  } | null;
}

export interface RecoverParams {
  readonly request: string;
  /** Start it once more, go on as if it had come to `result`, go on without it, or leave the question open. */
  readonly decision: RecoveryChoice;
  /** Who decides, as the trace will name them. */
  readonly actor: string;
  /** What the call came to, for the model; with `completed`. */
  readonly result?: string | undefined;
  /** Shown to the model, but with a retry. */
  readonly reason?: string | undefined;
}

export interface Recovered {
  readonly request: string;
  readonly runId: RunId;
  readonly decision: RecoveryChoice;
}

export interface RewindParams {
  /** Who rewinds, as the trace will name them. */
  readonly actor: string;
  /**
   * `step`: the run goes on from the end of that step, 0 being its beginning. `file`: one file, or what lies in one directory,
   * is put back to what it was then, and the run stays where it is. `undo`: the last rewind is taken back, as long as the run
   * has not gone on.
   */
  readonly aim:
    | { readonly kind: 'step'; readonly step: number }
    | { readonly kind: 'file'; readonly step: number; readonly path: string }
    | { readonly kind: 'undo' };
  readonly mode: 'preview' | 'carry-out';
  /** What somebody else has changed since: nothing is done then, or it is put back too and a copy kept in the home. */
  readonly foreign: 'leave' | 'keep-copy';
  /** Carry it out although other machines can reach the home: nothing but this machine ever uses it. */
  readonly sharedHome?: 'allow' | undefined;
}

export interface RewindReport {
  readonly runId: RunId;
  readonly aim: RewindAim['kind'];
  /** The step after which the run goes on; null where its conversation does not go back. */
  readonly step: number | null;
  /** False for a preview: then the files tell what would become of them. */
  readonly isDone: boolean;
  readonly files: readonly PutBackFile[];
  /** Changes of processes that were not noted one by one. */
  readonly untold: number;
  /** Questions that were open and are not any more. */
  readonly cancelled: readonly string[];
}

export interface TakenOver {
  readonly runId: RunId;
  /** Who had it; null: nobody did. */
  readonly from: { readonly machine: string; readonly pid: number } | null;
}

export interface ExplainParams {
  readonly act: DeclaredAct;
  readonly workspace: string;
  readonly policyFile?: string | undefined;
}

/** What would be decided about an act, and each thing that was decided on the way there. */
export interface Explanation {
  readonly effect: Effect;
  readonly rule: string | null;
  readonly layer: string;
  readonly origin: LayerOrigin;
  readonly because: string;
  readonly wouldChange: string | null;
  /** Everything the act comes to, in the order in which it would happen: the strictest verdict is the act's. */
  readonly parts: readonly JudgedAct[];
}

export interface ForkRunParams {
  /** After which step of the original; 0 is its beginning, and without it the last step that is over. */
  readonly step?: number | undefined;
  /**
   * A copy of the original's workspace in a new directory, put back to what it was then; the same as a git worktree on a new
   * branch; or the original's workspace as it is now.
   */
  readonly place:
    | { readonly kind: 'copy'; readonly directory: string }
    | { readonly kind: 'worktree'; readonly directory: string; readonly branch: string }
    | { readonly kind: 'here' };
  /** Another goal, or another contract as a whole, of which the workspace does not count. */
  readonly goal?: string | undefined;
  readonly contract?: object | undefined;
  readonly model?: string | undefined;
  readonly policyFile?: string | undefined;
  /** Make it although other machines can reach the home: nothing but this machine ever uses it. */
  readonly sharedHome?: 'allow' | undefined;
}

export interface ForkedRun {
  readonly runId: RunId;
  readonly from: RunId;
  readonly step: number;
  /** Where it works. */
  readonly workspace: string;
  /** So many messages of the original's conversation. */
  readonly messages: number;
  readonly model: string;
  /** What became of each path that the original has changed since. */
  readonly files: readonly PutBackFile[];
  /** How many of them are not as they were. */
  readonly missed: number;
  /** Changes of processes that were not noted one by one, and so were not put back. */
  readonly untold: number;
  /** What the original had spent until then; the fork begins at nothing. */
  readonly spent: Usage & { readonly costUsd: number | null };
}

/** The first place at which a journal says something else than follows from what it says before. */
export interface Divergence {
  readonly seq: number;
  readonly agentId: string;
  readonly step: number;
  readonly call: number | null;
  readonly type: string;
  /** What was derived again, in a few words. */
  readonly what: string;
  /** What follows with the present engine, and what stands there. */
  readonly expected: string;
  readonly got: string;
}

export interface ReplayParams {
  /** `execute`: calls and checks are also run again, in a copy of the workspace as it was at the beginning. */
  readonly mode: 'derive' | 'execute';
  /** When it is wanted no more: then it rejects with `closed`. */
  readonly signal?: AbortSignal | undefined;
}

/** A call whose recorded result was taken because it was not run again. */
export interface UnrunCall {
  readonly agentId: string;
  readonly step: number;
  readonly call: number;
  readonly tool: string;
  readonly target: string;
  readonly because: string;
}

/** What was run again, in a copy that is gone now. */
export interface Execution {
  /** So many calls, and so many checks, came to what was recorded; the divergence is not among them. */
  readonly calls: number;
  readonly checks: number;
  /** Calls that were not run again; the first hundred are named. */
  readonly unrunCalls: number;
  readonly unrun: readonly UnrunCall[];
  /** Paths that could not be put back to what they were at the beginning. */
  readonly missed: readonly PutBackFile[];
  /** Changes of processes that were not noted one by one, and so were not put back. */
  readonly untold: number;
}

export interface Replay {
  readonly runId: RunId;
  /** What was gone through: all of the run, or up to the divergence. */
  readonly events: number;
  readonly requests: number;
  /** Requests of which the journal does not say what was asked: only what led to them was derived again. */
  readonly unnamed: number;
  readonly verdicts: number;
  readonly calls: number;
  /** Originals that are sealed with a key of another home, or were left there, and so could not be looked at. */
  readonly sealed: number;
  readonly divergence: Divergence | null;
  /** Null where nothing was to be run again. */
  readonly execution: Execution | null;
}

export interface Engine extends RunControl {
  readonly home: string;
  /** Starts a run. Rejects with `contract-invalid`, `policy-invalid`, `workspace-unusable`, `provider-not-configured` and the like before anything is journaled. */
  startRun(params: StartRunParams): Promise<RunHandle>;
  /** Goes on with a run that is not over; one that is over gives its result again. */
  resumeRun(runId: RunId, params?: ResumeSettings): Promise<RunHandle>;
  listRuns(): Promise<RunSummary[]>;
  /** The folded state of a run. Rejects with `run-unknown`. */
  readRun(runId: RunId): Promise<RunState>;
  readEvents(runId: RunId, afterSeq?: number, limit?: number): Promise<JournalEvent[]>;
  readTrace(runId: RunId, afterSeq?: number, limit?: number): Promise<TraceRow[]>;
  /** The readable text of a blob: secrets are masked. */
  readText(blob: BlobRef): Promise<string>;
  /** Questions that wait for an answer, oldest first, of one run or of all that are not over. */
  listApprovals(runId?: RunId): Promise<ApprovalRequest[]>;
  /** One question, answered or not. Rejects with `approval-unknown`. */
  readApproval(request: string): Promise<ApprovalRequest>;
  /**
   * Answers a question with the credential of this home, from whichever process. The first answer counts. Rejects, with
   * nothing changed, with `approval-unknown`, `approval-answered` (by whom and when), `approval-changed` (another digest),
   * `decision-refused` (no credential, or the caller descends from the run), `rewrite-invalid` and `remember-refused`.
   */
  decide(params: DecideParams): Promise<Decided>;
  /**
   * What a rule remembered with a question's answer would have meant so far. Rejects like `decide`, and changes nothing.
   */
  previewRemember(request: string, remember: NonNullable<DecideParams['remember']>): Promise<RulePreview>;
  /** What the policy says about an act, by the very code that enforces it; touches nothing. */
  explain(params: ExplainParams): Promise<Explanation>;
  /** Reads a policy file and says how many rules it holds. Rejects with `policy-invalid`. */
  checkPolicy(file: string): Promise<{ readonly layers: number; readonly rules: number }>;
  /** What another policy would have decided in a run, from its journal alone. */
  simulate(runId: RunId, policyFile: string): Promise<Simulation>;
  /** Turns the permission settings of another tool into a policy, with a report of what could not be carried over. */
  importPolicy(file: string): Promise<PolicyImport>;
  /** What this machine can enclose commands by, found out by trying. Rejects with `policy-invalid`. */
  inspectSandbox(): Promise<SandboxReport>;
  /** Calls that wait for a person to say what became of them, oldest first, of one run or of all that are not over. */
  listRecoveries(runId?: RunId): Promise<RecoveryRequest[]>;
  /** One of them, decided or not. Rejects with `recovery-unknown`. */
  readRecovery(request: string): Promise<RecoveryRequest>;
  /**
   * Decides about one with the credential of this home, from whichever process. The first decision counts. Rejects, with
   * nothing changed, with `recovery-unknown`, `recovery-answered` and `decision-refused`.
   */
  recover(params: RecoverParams): Promise<Recovered>;
  /**
   * Takes a run back that nobody drives, or files of it alone; touches only what the run itself has written. Rejects, with
   * nothing changed, with `run-owned`, `store-shared`, `workspace-unusable`, `usage` (no such step or file) and
   * `rewind-refused`.
   */
  rewindRun(runId: RunId, params: RewindParams): Promise<RewindReport>;
  /**
   * Begins a new run where another one stood at a step, with a ledger and answers of its own; it is gone on with by
   * `resumeRun`. Rejects, with nothing changed, with `run-owned`, `run-imported`, `store-shared`, `usage` (no such step), `contract-invalid`,
   * `policy-invalid`, `file-exists` and `workspace-unusable`.
   */
  forkRun(runId: RunId, params: ForkRunParams): Promise<ForkedRun>;
  /**
   * Takes a run from a driver that cannot be seen from here, on the word of `actor` that it is gone; resuming it is another
   * step. Rejects with `run-imported`, with `run-owned` while the driver is seen to live, and with `processes-left` while its
   * processes are.
   */
  takeOverRun(runId: RunId, actor: string): Promise<TakenOver>;
  /** Makes this home one of its own after it was copied or restored: until then none of its runs is driven. */
  adoptStore(): Promise<void>;
  /** A run's events after `afterSeq`, in batches, then what comes, from whichever process, until `signal` aborts. */
  watchEvents(runId: RunId, afterSeq: number, signal: AbortSignal): AsyncIterable<JournalEvent[]>;
  /**
   * Goes through the journal of a run with the present engine: requests, verdicts, calls and what was planned are derived
   * again from the recorded replies and results. Changes nothing, and by default runs nothing. Where it is to run again what
   * was run, it rejects with `run-owned`, `run-imported`, `usage`, `workspace-unusable` and `sandbox-unavailable`.
   */
  replayRun(runId: RunId, params?: ReplayParams): Promise<Replay>;
  /** Looking after the store: sizes, pruning, backups, and runs as files. */
  readonly store: StoreEngine;
  /** Interrupts what still runs here, waits for it, and closes the journal. */
  close(): Promise<void>;
}
