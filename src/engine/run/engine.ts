// What a host of the engine works with: the command line, the desktop, another app. Everything here is plain data or a
// handle that its owner closes.
import type { BlobRef } from '../../shared/blob-ref.ts';
import type { JournalEvent, Posture } from '../../shared/event.ts';
import type { RunId } from '../../shared/id.ts';
import type { LiveUpdate } from '../../shared/live-update.ts';
import type { RunOutcome } from '../../shared/outcome.ts';
import type { RunState } from '../../shared/run-state.ts';
import type { TaskContractInput } from '../../shared/task-contract.ts';
import type { RunSummary, TraceRow } from '../journal/journal.ts';
import type { ModelProvider } from '../provider/model-provider.ts';
import type { StopSignal } from './drive-run.ts';

export interface EngineOptions {
  /** Directory for journal, keys and settings; by default `IO_STUDIO_HOME` or the platform's place for application state. */
  readonly home?: string | undefined;
  /** Where keys and settings are read from; by default the process environment. None of it reaches a child. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Answers instead of a configured provider: for hosts that bring their own model. The engine does not close it. */
  readonly provider?: ModelProvider;
}

export interface RunSettingsParams {
  /** Model and provider instead of those of contract, journal and environment. */
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  /** Who answers asks: nobody yet (`defer`, the default: the run ends and waits), or yes or no to all of them. */
  readonly approve?: Posture | undefined;
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

export interface Engine {
  readonly home: string;
  /** Starts a run. Rejects with `contract-invalid`, `workspace-unusable`, `provider-not-configured` and the like before anything is journaled. */
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
  /** Ends a run for good, from whichever process it is driven; `actor` is who wanted it. */
  cancelRun(runId: RunId, actor: string): Promise<void>;
  /** Interrupts what still runs here, waits for it, and closes the journal. */
  close(): Promise<void>;
}
