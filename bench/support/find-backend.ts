import type { Isolation } from '../../src/engine/policy/isolation.ts';
import type { Backend } from '../../src/engine/sandbox/launch.ts';
import { listCandidates } from '../../src/engine/sandbox/selection/list-candidates.ts';
import { createTrials } from '../../src/engine/sandbox/selection/trials.ts';

/** The way to enclose commands that has this name, with what commands see of this machine; null where it does not work. */
export async function findBackend(isolation: Isolation): Promise<Backend | null> {
  const trials = createTrials(listCandidates({ mounts: [] }));
  const candidate = trials.candidates.find(({ id }) => id === isolation);
  if (candidate === undefined) return null;
  const trial = await trials.attempt(candidate);
  if (trial.kind === 'works') return trial.backend;
  process.stderr.write(`${isolation} does not work here: ${trial.reason}\n`);
  return null;
}
