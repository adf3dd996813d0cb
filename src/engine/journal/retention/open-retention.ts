// The door to looking after a store, for the engine's front: each of its ways out of the same home, journal and keeper.
import type { RunId } from '../../../shared/id.ts';
import { isFinal } from '../../../shared/outcome.ts';
import type { Journal } from '../journal.ts';
import { toDatabaseFile, toSealKeyFile } from '../store-file.ts';
import { archiveRun, notRemoved } from './archive-run.ts';
import { backupStore } from './backup-store.ts';
import { exportRun } from './export-run.ts';
import { sweepImports } from './import-copy.ts';
import { importRun } from './import-run.ts';
import { isBeingRewound } from './is-being-rewound.ts';
import { measureStore } from './measure-store.ts';
import type { PruneLimits } from './plan-prune.ts';
import { pruneStore } from './prune-store.ts';
import type { Removable } from './store-keeper.ts';
import type {
  BackupReport,
  ExportReport,
  ImportReport,
  PruneReport,
  StoreStats,
  VerifyReport,
} from './store-report.ts';
import { verifyStore } from './verify-store.ts';

export interface Retention {
  stats(): Promise<StoreStats>;
  /** Takes out runs that are over, oldest first. Ends early, and cleanly, when `signal` aborts. */
  prune(options: PruneLimits & { readonly isDryRun: boolean }, signal: AbortSignal): Promise<PruneReport>;
  /** Looks over one run, or the whole store. Changes nothing but, with `rebuild`, projections. */
  verify(
    options: { readonly runId: RunId | null; readonly rebuild: boolean },
    signal: AbortSignal,
  ): Promise<VerifyReport>;
  backup(file: string, withKey: boolean): Promise<BackupReport>;
  /** Writes a run to `file`; with `keyFile` its sealed originals too, under a key that is written there. */
  exportRun(runId: RunId, file: string, keyFile: string | null): Promise<ExportReport>;
  /** Exports a run and then takes it out. Rejects with `run-owned` and `run-unfinished`. */
  archiveRun(
    runId: RunId,
    options: { readonly file: string; readonly keyFile: string | null; readonly removable: Removable },
    signal: AbortSignal,
  ): Promise<ExportReport>;
  /** Takes an exported run in, to be read. Rejects with `export-invalid` and `run-exists`, with nothing changed. */
  importRun(file: string, keyFile: string | null, signal: AbortSignal): Promise<ImportReport>;
}

export function createRetention(
  home: string,
  open: () => Promise<Journal>,
  quotaBytes: () => number | null,
): Retention {
  const file = toDatabaseFile(home);
  return {
    async stats() {
      await open();
      return await measureStore(file, quotaBytes());
    },
    async prune(options, signal) {
      const { reader, keeper } = await open();
      sweepImports(home);
      return await pruneStore({ file, reader, keeper, signal, ...options });
    },
    async verify(options, signal) {
      const { keeper } = await open();
      return await verifyStore({ file, keyFile: toSealKeyFile(home), keeper, signal, ...options });
    },
    async backup(target, withKey) {
      await open();
      return await backupStore({ home, file: target, withKey });
    },
    async exportRun(runId, target, keyFile) {
      await open();
      return await exportRun({ home, runId, file: target, keyFile });
    },
    async archiveRun(runId, options, signal) {
      const journal = await open();
      const assertRemovable = () => assertMayGo(journal, runId, options.removable);
      return await archiveRun({ home, runId, keeper: journal.keeper, assertRemovable, signal, ...options });
    },
    async importRun(source, keyFile, signal) {
      const { keeper } = await open();
      return await importRun({ home, file: source, keyFile, keeper, signal });
    },
  };
}

/** Asked before a file is written, so that a refusal leaves none; what counts is asked again in the journal. */
function assertMayGo({ reader }: Journal, runId: RunId, removable: Removable): void {
  const run = reader.listRuns().find((each) => each.runId === runId);
  if (run === undefined) return;
  if (run.owner?.alive) throw notRemoved(runId, 'owned', 'it is being driven');
  const isOver = run.imported || (run.outcome !== null && isFinal(run.outcome) && !isBeingRewound(reader, runId));
  if (removable === 'over' && !isOver) {
    throw notRemoved(runId, 'unfinished', 'it is not over and can still be resumed');
  }
}
