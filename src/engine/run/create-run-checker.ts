// The checks of one agent: where it works, under what it is judged by at that moment, and with what it has changed by then.
import { worktreeOf } from '../../shared/agent-tree.ts';
import { agentOf } from '../../shared/find-in-run.ts';
import type { AgentId } from '../../shared/id.ts';
import type { RunState } from '../../shared/run-state.ts';
import type { Checker } from '../check/check.ts';
import { createChecker } from '../check/create-checker.ts';
import type { Guard } from '../guard/guard.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { StanceOf } from './stance.ts';

export interface RunCheckerOptions {
  readonly sandbox: Sandbox;
  readonly guard: Guard;
  readonly stanceOf: StanceOf;
  /** Asked anew each time: another object may have taken its place. */
  readonly stateOf: () => RunState;
  /** Whose check it is. */
  readonly agentId: AgentId;
}

export function createRunChecker({ sandbox, guard, stanceOf, stateOf, agentId }: RunCheckerOptions): Checker {
  const toStance = () => stanceOf(stateOf(), agentId);
  const toChanged = (state: RunState) => (worktreeOf(state, agentOf(state, { agentId })) ?? state).changed;
  return createChecker({
    sandbox,
    workspace: guard.workspace.path,
    // Whoever supplied the contract has said yes to what its check has to read.
    files: { read: (path, maxBytes) => guard.files(toStance(), 'ask').read(path, maxBytes) },
    hidden: () => guard.hidden(toStance()),
    changedPaths: () => toChanged(stateOf()),
  });
}
