// How the journal of a fork begins: with what the original was started with, but for what the fork was given instead.
import { engineVersion } from '../../../shared/engine-version.ts';
import type { DriverEventBody } from '../../../shared/event.ts';
import { agentOf } from '../../../shared/find-in-run.ts';
import { rootAgentId } from '../../../shared/id.ts';
import type { RunState } from '../../../shared/run-state.ts';
import type { TaskContract } from '../../../shared/task-contract.ts';
import type { NewBlob } from '../../journal/journal.ts';
import type { Redactor } from '../../journal/redactor.ts';
import { readPrice } from '../read-price.ts';
import type { RunPolicy } from '../run-policy.ts';
import { toTitle } from '../to-title.ts';
import { toTreeBudgets, toTreeCaps } from '../tree-limits.ts';
import type { ForkedPlace } from './fork-place.ts';
import type { ForkPoint } from './fork-point.ts';

export interface ForkStart {
  readonly home: string;
  readonly redactor: Redactor;
  readonly original: RunState;
  readonly point: ForkPoint;
  readonly model: string;
  readonly workspace: ForkedPlace['workspace'];
  readonly policy: RunPolicy;
  readonly contract: TaskContract;
  readonly contractBlob: NewBlob;
}

/** Nobody has said yes to anything of this run in advance: whoever goes on with it says who answers. */
export function toForkStart(options: ForkStart): DriverEventBody {
  const { home, redactor, original, point, model, workspace, policy, contract, contractBlob } = options;
  const { settings } = original;
  const [system, prompt] = agentOf(point.state, { agentId: rootAgentId }).context;
  if (system === undefined || prompt === undefined)
    throw new RangeError('A run begins with a system text and a prompt');
  const { minimumIsolation } = settings;
  return {
    type: 'run-start',
    engineVersion: engineVersion,
    contract: contractBlob.ref,
    title: toTitle(redactor.redact(contract.goal).text),
    workspace,
    verification: contract.verification.kind,
    budgets: toTreeBudgets(contract),
    provider: { ...settings.provider, model },
    posture: 'defer',
    policyHash: policy.hash,
    policy: policy.blob.ref,
    ...(minimumIsolation === null ? {} : { minimumIsolation }),
    ...(contract.recovery === null ? {} : { recovery: contract.recovery }),
    ...(contract.plan ? { plansFirst: true } : {}),
    ...(contract.containment === null ? {} : { containment: toTreeCaps(contract.containment) }),
    contextTokens: settings.contextTokens,
    maxOutputTokens: settings.maxOutputTokens,
    price: readPrice(home, model),
    system: system.blob,
    prompt: prompt.blob,
    toolBytes: settings.toolBytes,
    neighbours: [],
  };
}
