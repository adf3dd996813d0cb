// The check port: is the contract met? Three answers, because "could not be evaluated" is neither of the other two.
import type { CheckResult } from '../../shared/event.ts';
import type { Verification } from '../../shared/verification.ts';
import type { Isolation, SandboxResult } from '../sandbox/sandbox.ts';

export interface CheckReport {
  readonly result: CheckResult;
  /** One line for people. */
  readonly summary: string;
  /** What the model and a reader need in order to see why: output head and tail, the difference, the error. */
  readonly evidence: string;
  /** What enclosed the commands that ran; null when none did. */
  readonly isolation: Isolation | null;
}

/** Hears of each command of a check before it begins, and has it wait. What it gives back hears how the command ended. */
export type CommandWatch = (command: WatchedCommand) => Promise<(ran: SandboxResult) => void>;

export interface WatchedCommand {
  /** As the check names it. */
  readonly program: string;
  /** What it will be enclosed by; null where no command may run. */
  readonly isolation: Isolation | null;
}

export interface Checker {
  /** Never rejects for what the workspace or a command can do; an abort is `notEvaluated`. */
  check(verification: Verification, watch: CommandWatch, signal: AbortSignal): Promise<CheckReport>;
}
