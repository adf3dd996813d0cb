import { EngineError } from '../../shared/engine-error.ts';
import type { RunState } from '../../shared/run-state.ts';

/** Throws `run-imported` for a run that came out of a file: nobody here has said that it may do anything. */
export function assertAdopted({ runId, imported }: Pick<RunState, 'runId' | 'imported'>): void {
  if (imported === null) return;
  throw new EngineError(
    'run-imported',
    `Run ${runId} was imported from ${imported.source}: it can be read, not driven.`,
    {
      remedy: `Take it as yours with "io-studio store adopt ${runId} --workspace DIR", and resume it then.`,
    },
  );
}
