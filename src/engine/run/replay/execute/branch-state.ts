// A state of its own in which something is run again, so that the recorded one stays as it is. Only what that can change is
// copied: of long runs, and of trees of many agents, most is not. What a person approved counts for what was found to be the
// same in the scratch copy when the question was raised again.
import { agentOf } from '../../../../shared/find-in-run.ts';
import type { AgentId } from '../../../../shared/id.ts';
import type { CallStage, RunState } from '../../../../shared/run-state.ts';
import type { ScratchPaths } from './scratch-paths.ts';

export interface BranchOptions {
  /** Whose call or check is run again. */
  readonly agentId: AgentId;
  /** Of each recorded question what it came to in the scratch copy. */
  readonly digests: ReadonlyMap<string, string>;
  readonly paths: ScratchPaths;
}

export function branchState(state: RunState, { agentId, digests, paths }: BranchOptions): RunState {
  const { context, files, ...own } = agentOf(state, { agentId });
  const agent = { ...structuredClone(own), context: [...context], files: { ...files } };
  for (const { stage } of agent.phase.kind === 'acting' ? agent.phase.calls : []) takeDigests(stage, digests);
  return {
    ...state,
    agents: { ...state.agents, [agentId]: agent },
    remembered: state.remembered.map(({ rule, seq }) => ({
      rule: { ...rule, pattern: paths.toScratch(rule.pattern) },
      seq,
    })),
    denied: [...state.denied],
    changed: [...state.changed],
    writers: { ...state.writers },
  };
}

function takeDigests(stage: CallStage, digests: ReadonlyMap<string, string>): void {
  if (stage.kind !== 'waiting') return;
  const toDigest = (recorded: string | null): string | null =>
    recorded === null ? null : (digests.get(recorded) ?? recorded);
  stage.digest = toDigest(stage.digest);
  if (stage.answer !== null) stage.answer.digest = toDigest(stage.answer.digest);
}
