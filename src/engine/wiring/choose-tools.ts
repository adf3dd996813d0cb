// The tools that a run's model is told of: none for what the run could not let it do.
import type { RunState } from '../../shared/run-state.ts';
import type { TaskContract } from '../../shared/task-contract.ts';
import { opensNetwork } from '../policy/opens-network.ts';
import type { RunPolicy } from '../run/run-policy.ts';
import { createTools } from '../tool/create-tools.ts';
import { fetchUrl } from '../tool/fetch-url.ts';
import type { Tool } from '../tool/tool.ts';

/** `state`: the run as it is taken up; null for a new one. A call that is still open needs its tool to be brought to an end. */
export function chooseTools(
  { isolation, policy }: { readonly isolation: string | null; readonly policy: Pick<RunPolicy, 'policy'> },
  { plan, containment }: Pick<TaskContract, 'plan' | 'containment'>,
  state: RunState | null,
): ReadonlyMap<string, Tool> {
  const network = opensNetwork(policy.policy) || (state !== null && isOpen(state, fetchUrl.name));
  return createTools({ commands: isolation !== null, network, plan, agents: containment !== null });
}

function isOpen({ agents }: RunState, tool: string): boolean {
  return Object.values(agents).some(
    ({ phase }) =>
      phase.kind === 'acting' && phase.calls.some((call) => call.tool === tool && call.stage.kind !== 'finished'),
  );
}
