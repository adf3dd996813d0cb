// Whether the person at this terminal is asked: when they could see the question and type the answer, and nobody said who
// else answers.
import type { RunSettingsParams, RunState } from '../engine/index.ts';

export interface AskHereOptions {
  readonly settings: RunSettingsParams;
  readonly json: boolean;
  /** Who answered the run's questions when it was last driven; absent for a new run. */
  readonly before?: RunState['settings']['posture'];
  /** Whether both ends of the standard streams are a terminal. */
  readonly isTerminal?: boolean;
}

export interface AskHere {
  readonly settings: RunSettingsParams;
  readonly asksHere: boolean;
}

/** A choice that does not depend on who is there is kept with a run; whether somebody is there is looked at anew. */
export function toAskHere({ settings, json, before, isTerminal = hasTerminal() }: AskHereOptions): AskHere {
  const isSeen = isTerminal && !json;
  const kept = before === 'ask' || before === 'defer' ? undefined : before;
  const approve = settings.approve ?? kept ?? (isSeen ? 'ask' : 'defer');
  return { settings: { ...settings, approve }, asksHere: isSeen && approve === 'ask' };
}

const hasTerminal = (): boolean => process.stdin.isTTY && process.stdout.isTTY;
