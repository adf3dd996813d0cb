// Moves a run out of the store into a file. It is taken out only once the file was read again, by the code that imports.
import { EngineError } from '../../../shared/engine-error.ts';
import type { RunId } from '../../../shared/id.ts';
import { type ExportRun, exportRun } from './export-run.ts';
import { deleteRun } from './prune-store.ts';
import type { KeptBecause, Removable, StoreKeeper } from './store-keeper.ts';
import type { ExportReport } from './store-report.ts';

export interface ArchiveRun extends ExportRun {
  readonly keeper: StoreKeeper;
  /** Whether a run that can still be resumed may go too. */
  readonly removable: Removable;
  /** Whether the run may go, before anything is written. Throws when it may not. */
  readonly assertRemovable: () => void;
  readonly signal: AbortSignal;
}

/** Throws `run-owned`, and `run-unfinished` for a run that can be resumed unless it may go; a file may be left then. */
export async function archiveRun({
  keeper,
  removable,
  assertRemovable,
  signal,
  ...options
}: ArchiveRun): Promise<ExportReport> {
  assertRemovable();
  const report = await exportRun(options);
  const hiding = await keeper.hide(options.runId, removable, report.events);
  if (hiding.kind === 'kept') throw notRemoved(options.runId, hiding.because, `${hiding.why}; ${options.file} stays`);
  await deleteRun(keeper, hiding.run, signal, () => undefined);
  for (let left = await keeper.freePages(); left > 0 && !signal.aborted; left = await keeper.freePages());
  return report;
}

/** The error for a run that stays where it is. */
export function notRemoved(runId: RunId, because: KeptBecause, why: string): EngineError {
  if (because !== 'unfinished') {
    return new EngineError('run-owned', `Run ${runId} cannot be taken out: ${why}.`, {
      remedy: 'Wait for it to end, or stop it, and run the command again.',
    });
  }
  return new EngineError('run-unfinished', `Run ${runId} cannot be taken out: ${why}.`, {
    remedy: 'Resume it to its end first, or give --unfinished: an archived run comes back by import and adopt.',
  });
}
