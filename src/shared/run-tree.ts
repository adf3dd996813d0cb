// The agents of a run as people are shown them: who works for whom, what each is doing, and what it has left.
import type { AgentId, RunId } from './id.ts';
import type { RunOutcome } from './outcome.ts';

export interface RunTree {
  readonly runId: RunId;
  readonly title: string;
  /** Null while nobody has ended it. */
  readonly outcome: RunOutcome | null;
  readonly activeMs: number;
  /** The first agent, whose limits are those of the tree; then each one's own, in the order in which they were spawned. */
  readonly nodes: readonly TreeNode[];
}

export interface TreeNode {
  readonly agentId: AgentId;
  readonly parent: AgentId | null;
  readonly depth: number;
  /** The first line of its goal. */
  readonly title: string;
  readonly status: AgentStatus;
  readonly steps: number;
  /** By the agent and all that work for it; only the steps are its own. */
  readonly spent: {
    readonly tokens: number;
    /** Null: unpriced. */
    readonly costUsd: number | null;
    /** Requests that may have been billed without an answer, at their worst case. */
    readonly unknown: { readonly requests: number; readonly tokens: number; readonly costUsd: number | null };
    /** Set aside for requests that are open. */
    readonly reserved: { readonly requests: number; readonly tokens: number; readonly costUsd: number };
  };
  /** Of its own limits; null where there is none. */
  readonly left: {
    readonly steps: number | null;
    readonly tokens: number | null;
    readonly costUsd: number | null;
    readonly wallMs: number | null;
  };
}

export type AgentStatus =
  | { readonly kind: 'working'; readonly at: 'model' | 'check' }
  | { readonly kind: 'working'; readonly at: 'calls'; readonly tools: readonly string[] }
  /** Until the time comes to ask its model again. */
  | { readonly kind: 'waiting'; readonly for: 'retry' | 'messages' | 'room' }
  | { readonly kind: 'waiting'; readonly for: 'agents'; readonly agents: readonly AgentId[] }
  | { readonly kind: 'waiting'; readonly for: 'answer'; readonly requests: readonly string[] }
  /** As many are at work as may be. */
  | { readonly kind: 'queued' }
  /** `isBusy`: what was under way when that was said is not over yet. */
  | { readonly kind: 'paused'; readonly by: string; readonly isBusy: boolean }
  | { readonly kind: 'cancelling'; readonly by: string }
  /** The run has come to an end that it can be gone on from, and then so does the agent. */
  | { readonly kind: 'resting' }
  | { readonly kind: 'ended'; readonly outcome: RunOutcome };
