// A tool: what the model is told, which acts a call needs, and how the call is carried out. Tools look for themselves but
// never write: they hand the engine a finished change, which journals it before it is made.
import type { z } from 'zod';
import type { DeclaredAct } from '../../shared/act.ts';
import type { Origin } from '../../shared/blob-ref.ts';
import type { SeenFile } from '../../shared/event.ts';
import type { BlobHash } from '../../shared/id.ts';
import type { GuardedCommands, GuardedFetches, GuardedFiles } from '../guard/guard.ts';
import type { Leavings, SandboxResult, WorkspaceChange } from '../sandbox/sandbox.ts';
import type { Processes } from './process/processes.ts';

export interface ToolContext {
  readonly files: GuardedFiles;
  readonly commands: GuardedCommands;
  readonly fetches: GuardedFetches;
  readonly processes: Processes;
  /** Whether somebody said yes to an act of this call that policy asks about. */
  readonly permitted: 'allow' | 'ask';
  /** `ask`: somebody has answered every question of the run with yes in advance, so that what asks may be done unasked. */
  readonly unasked: 'allow' | 'ask';
  /** What the agent last saw at this path, or undefined when it never looked. */
  lastSeen(path: string): BlobHash | undefined;
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
   * out by a person's approval.
   */
  readonly kind: 'read' | 'write' | 'plan';
  prepare(args: Arguments, context: ToolContext): Promise<PreparedCall>;
  /**
   * Of what its command leaves: what it keeps for itself, so that the yes to the command is a yes to this as well. Nothing
   * that runs, or names what runs.
   */
  owns?(change: WorkspaceChange): boolean;
}
