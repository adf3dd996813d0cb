// What the policy says about an act that nobody has proposed: the same guard, the same scopes and the same function as in a
// run, so that what is explained is what would be enforced.
import { openGuard } from '../guard/open-guard.ts';
import type { ProbedSandbox } from '../sandbox/select-sandbox.ts';
import type { ExplainParams, Explanation } from './engine.ts';
import { findStrictest } from './judge-call.ts';
import { openRunPolicy } from './run-policy.ts';

export interface ExplainOptions extends ExplainParams {
  readonly home: string;
  readonly sandbox: ProbedSandbox;
}

export async function explain({ home, sandbox, act, workspace, policyFile }: ExplainOptions): Promise<Explanation> {
  const guard = await openGuard({ workspace, home, sandbox });
  try {
    const { path } = guard.workspace;
    const { policy } = openRunPolicy({ home, workspace: path, policyFile: policyFile ?? null, before: null });
    const parts = await guard.judge(act, { policy, isTainted: false, isolation: (await sandbox.ready()) ?? 'none' });
    const { verdict } = findStrictest(parts) ?? parts[0];
    return { ...verdict, parts };
  } finally {
    guard.close();
  }
}
