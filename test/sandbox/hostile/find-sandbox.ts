import type { Sandbox } from '../../../src/engine/sandbox/sandbox.ts';
import { listCandidates } from '../../../src/engine/sandbox/selection/list-candidates.ts';
import { createTrials } from '../../../src/engine/sandbox/selection/trials.ts';
import { toSandbox } from '../../../src/engine/sandbox/to-sandbox.ts';

/** The sandbox that this backend makes; a text is why it does not work here. */
export async function findSandbox(backend: string): Promise<Sandbox | string> {
  const trials = createTrials(listCandidates({ mounts: [] }));
  const candidate = trials.candidates.find(({ id }) => id === backend);
  if (candidate === undefined) return 'this system has no such backend';
  const trial = await trials.attempt(candidate);
  return trial.kind === 'works' ? toSandbox(trial.backend) : trial.reason;
}
