// Opens the workspace of a run for a person who puts things back in it, under the policy that the run itself goes by.
import type { RunState } from '../../../shared/run-state.ts';
import { openGuard } from '../../guard/open-guard.ts';
import { assertSameWorkspace } from '../open-run.ts';
import { openRunPolicy, readScopes } from '../run-policy.ts';
import type { RewindOptions, RewindPorts } from './rewind-ports.ts';

/** Lets `use` have the workspace, and closes it whatever comes of that. Throws `workspace-unusable` and `policy-invalid`. */
export async function withWorkspace<Result>(
  options: RewindOptions,
  state: RunState,
  use: (ports: RewindPorts) => Promise<Result>,
): Promise<Result> {
  const { home, journal, sandbox } = options;
  const { workspace, policy: blob, isolation } = state.settings;
  const before = readScopes(journal.reader, blob);
  const { policy } = openRunPolicy({ home, workspace: workspace.path, policyFile: null, before });
  const guard = await openGuard({ workspace: workspace.path, home, sandbox });
  try {
    assertSameWorkspace(state, guard);
    return await use({ ...options, guard, stance: { policy, isTainted: false, isolation: isolation ?? 'none' } });
  } finally {
    guard.close();
  }
}
