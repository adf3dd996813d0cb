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
import type { RunState } from '../../shared/run-state.ts';
import type { TaskContractInput } from '../../shared/task-contract.ts';
import type { RunSummary, TraceRow } from '../journal/journal.ts';
import type { PolicyImport } from '../policy/policy-import.ts';
import type { Simulation } from '../policy/simulate.ts';
import type { ModelProvider } from '../provider/model-provider.ts';
import type { StopSignal } from './drive-run.ts';
import type { SandboxReport } from './inspect-sandbox.ts';

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
}

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

export interface Engine {
  readonly home: string;
  /** Starts a run. Rejects with `contract-invalid`, `policy-invalid`, `workspace-unusable`, `provider-not-configured` and the like before anything is journaled. */
  startRun(params: StartRunParams): Promise<RunHandle>;
  /** Goes on with a run that is not over; one that is over gives its result again. */
  resumeRun(runId: RunId, params?: RunSettingsParams): Promise<RunHandle>;
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
  /** Ends a run for good, from whichever process it is driven; `actor` is who wanted it. */
  cancelRun(runId: RunId, actor: string): Promise<void>;
  /** Interrupts what still runs here, waits for it, and closes the journal. */
  close(): Promise<void>;
}
