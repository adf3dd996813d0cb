// Whether the files of a run are those of one moment, so that a copy of them is one of something.
import { EngineError } from '../../../shared/engine-error.ts';
import type { RunState } from '../../../shared/run-state.ts';
import type { JournalReader } from '../../journal/journal.ts';

type Still = Pick<RunState, 'runId' | 'rewinding'>;

/** Throws `run-owned` while it is driven, or a rewind of it is not finished. `besides`: what can be done all the same. */
export function assertStill(
  reader: Pick<JournalReader, 'readOwner' | 'readOwnerLife'>,
  { runId, rewinding }: Still,
  besides: string,
): void {
  const owner = reader.readOwner(runId);
  if (owner !== null && reader.readOwnerLife(owner).alive) throw driven(runId, besides);
  if (rewinding !== null) throw cutOff(runId, besides);
}

const driven = (runId: Still['runId'], besides: string): EngineError =>
  new EngineError('run-owned', `Run ${runId} is being worked on, so that its files are not those of one moment.`, {
    remedy: `Wait for it to end, or stop it first; ${besides}.`,
  });

const cutOff = (runId: Still['runId'], besides: string): EngineError =>
  new EngineError('run-owned', `A rewind of run ${runId} was cut off, so that its files are not those of one moment.`, {
    remedy: `Finish it with "io-studio rewind ${runId} --undo", or "io-studio resume ${runId}"; ${besides}.`,
  });
