// A tool: what the model is told, which acts a call needs, and how the call is carried out. Tools look for themselves but
// never write: they hand the engine a finished change, which journals it before it is made.
import type { z } from 'zod';
import type { DeclaredAct } from '../../shared/act.ts';
import type { AgentBudgets, AgentTask } from '../../shared/agent-task.ts';
import type { Origin } from '../../shared/blob-ref.ts';
import type { SeenFile } from '../../shared/event.ts';
import type { BlobHash } from '../../shared/id.ts';
import type { FileWriter } from '../../shared/run-state.ts';
import type { GuardedCommands, GuardedFetches, GuardedFiles } from '../guard/guard.ts';
import type { Leavings, SandboxResult, WorkspaceChange } from '../sandbox/sandbox.ts';
import type { Processes } from './process/processes.ts';

/** What is known of the files of the workspace from before the call. */
export interface FileHistory {
  /** What the agent last saw at this path, or undefined when it never looked. */
  lastSeen(path: string): BlobHash | undefined;
  /** Which agent of the run changed it last; null where nobody is known to have, or where one works alone. */
  lastWriter(path: string): (Pick<FileWriter, 'agentId' | 'step' | 'hash'> & { readonly isOwn: boolean }) | null;
  /** The content with this hash where the journal holds it, with its secrets masked. */
  contentOf(hash: BlobHash): Uint8Array | null;
  /** A secret is found by what stands around it, which a part of the text may lack. */
  holdsSecret(text: string): boolean;
}

export interface ToolContext {
  readonly files: GuardedFiles;
  readonly commands: GuardedCommands;
  readonly fetches: GuardedFetches;
  readonly processes: Processes;
  /** Whether somebody said yes to an act of this call that policy asks about. */
  readonly permitted: 'allow' | 'ask';
  /** `ask`: somebody has answered every question of the run with yes in advance, so that what asks may be done unasked. */
  readonly unasked: 'allow' | 'ask';
  readonly history: FileHistory;
  readonly signal: AbortSignal;
}

/** What a call came to. A failure is an observation like any other: it says what happened and what to try. */
export interface ToolResult {
  readonly status: 'ok' | 'failed';
  readonly text: string;
  readonly origin: Origin;
  readonly seen: readonly SeenFile[];
}

/** A command that has run, or could not. */
export interface CommandDone {
  readonly result: ToolResult;
  /** What the sandbox says of it; null when none was asked for it. */
  readonly ran: SandboxResult | null;
  readonly leavings: Leavings;
  /** Ended from here because nobody wants it any more, so that it says nothing. */
  readonly isCutOff: boolean;
}

export type PreparedCall =
  /** Reads something; may run beside other reads. */
  | { readonly kind: 'look'; readonly run: () => Promise<ToolResult> }
  /** Runs something whose effects nobody can foresee. What it leaves in the workspace is judged when it has ended. */
  | {
      readonly kind: 'command';
      readonly text: string;
      /** It is given a way to the network, where nobody can tell afterwards what it has done. */
      readonly network?: boolean;
      /** It may be given the workspace itself to write to, where nobody can tell afterwards what it has done. */
      readonly writes?: boolean;
      readonly run: () => Promise<CommandDone>;
    }
  /** Asks something of another machine: the workspace stays as it is, and what it does over there nobody here can see. */
  | { readonly kind: 'request'; readonly text: string; readonly run: () => Promise<ToolResult> }
  /** Wants this change made; `result` is what the model is told when it was. */
  | {
      readonly kind: 'change';
      readonly path: string;
      readonly before: { readonly hash: BlobHash; readonly bytes: Uint8Array } | null;
      readonly after: Uint8Array;
      readonly result: ToolResult;
    }
  /** Waits for a person's word on this text, and is carried out by it. */
  | { readonly kind: 'plan'; readonly text: string; readonly result: ToolResult }
  /** Has another agent work on something. */
  | {
      readonly kind: 'spawn';
      readonly task: AgentTask;
      /** Null: all that whoever asks has. */
      readonly tools: readonly string[] | null;
      readonly budgets: AgentBudgets;
      /** Null: the model of the run. */
      readonly model: string | null;
      /** One that the contract names; null: none. */
      readonly role: string | null;
      /** The call does not wait for it. */
      readonly isDetached: boolean;
      /** It works in a worktree of its own. */
      readonly isApart: boolean;
    }
  /** Waits for other agents, at most so long; null: as long as it takes. */
  | {
      readonly kind: 'hold';
      readonly until: { readonly kind: 'agents'; readonly agents: readonly string[] } | { readonly kind: 'mail' };
      readonly ms: number | null;
    }
  /** Says something to another agent. */
  | { readonly kind: 'mail'; readonly to: string; readonly text: string }
  /** Settled without doing anything. */
  | { readonly kind: 'answer'; readonly result: ToolResult };

export interface Tool<Arguments = unknown> {
  readonly name: string;
  readonly description: string;
  readonly arguments: z.ZodType<Arguments>;
  /** A path or pattern that stands for the call in one line of a trace. */
  target(args: Arguments): string;
  /** At least one, but for a plan: a call that nobody judged is never started. */
  acts(args: Arguments): readonly DeclaredAct[];
  /**
   * `read` calls of one reply run in parallel; every other call runs in its turn. A `plan` call does nothing: it is carried
   * out by a person's approval. `spawn` calls that stand together start together.
   */
  readonly kind: 'read' | 'write' | 'plan' | 'spawn';
  prepare(args: Arguments, context: ToolContext): Promise<PreparedCall>;
  /**
   * Of what its command leaves: what it keeps for itself, so that the yes to the command is a yes to this as well. Nothing
   * that runs, or names what runs.
   */
  owns?(change: WorkspaceChange): boolean;
}
