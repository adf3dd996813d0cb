// The sandboxes of one engine. What this machine can do is tried once and shared by all runs; how much of it a run wants is
// its own.
import { loadSandboxSettings } from '../guard/load-sandbox-settings.ts';
import type { MinimumIsolation } from '../policy/isolation.ts';
import { createSandbox, type ProbedSandbox } from '../sandbox/select-sandbox.ts';
import { listCandidates } from '../sandbox/selection/list-candidates.ts';
import { openTrialMemory } from '../sandbox/selection/trial-memory.ts';
import { createTrials, type Trials } from '../sandbox/selection/trials.ts';

/** Null: what the person's own policy says. Throws `policy-invalid` when that cannot be used. */
export type OpenSandbox = (minimum: MinimumIsolation | null) => RunSandbox;

export interface RunSandbox {
  readonly minimum: MinimumIsolation;
  readonly sandbox: ProbedSandbox;
}

export function createSandboxSource(home: string): OpenSandbox {
  let known: { readonly mounts: string; readonly trials: Trials } | null = null;
  return (wanted) => {
    const settings = loadSandboxSettings(home);
    const mounts = JSON.stringify(settings.mounts);
    if (known?.mounts !== mounts) {
      known = { mounts, trials: createTrials(listCandidates(settings), { memory: openTrialMemory(home) }) };
    }
    const minimum = wanted ?? settings.minimumIsolation;
    return { minimum, sandbox: createSandbox({ minimum, trials: known.trials }) };
  };
}
