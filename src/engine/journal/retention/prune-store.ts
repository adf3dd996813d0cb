// Pruning: run by run out of sight, then a little at a time out of the file. It can be ended at any moment: what is hidden
// by then is finished by the next pruning, and nothing else is touched.
import { isEngineError } from '../../../shared/engine-error.ts';
import { isFinal } from '../../../shared/outcome.ts';
import type { JournalReader } from '../journal.ts';
import { isBeingRewound } from './is-being-rewound.ts';
import { measureRuns, readUsedBytes } from './measure-store.ts';
import { type PruneCandidate, type PruneLimits, planPrune } from './plan-prune.ts';
import type { Deleted, StoreKeeper } from './store-keeper.ts';
import type { KeptRun, PruneReport } from './store-report.ts';
import { withDatabase, withSnapshot } from './with-database.ts';

export interface PruneStore extends PruneLimits {
  readonly file: string;
  readonly reader: Pick<JournalReader, 'listRuns' | 'readEventsOf'>;
  readonly keeper: StoreKeeper;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

export async function pruneStore(options: PruneStore): Promise<PruneReport> {
  const { file, isDryRun, toBytes } = options;
  const { removable, kept } = planPrune(await listCandidates(options), options);
  const usedBytes = await measureUsed(file);
  if (isDryRun) return { ...foresee(removable, usedBytes, toBytes), isDryRun, kept, usedBytes };
  return prune(options, removable, kept);
}

async function listCandidates({ file, reader }: PruneStore): Promise<PruneCandidate[]> {
  const sizes = await withSnapshot(file, async (database) => measureRuns(database));
  const bytes = new Map(sizes.map(({ runId, eventBytes, ownBytes }) => [runId, eventBytes + ownBytes]));
  return reader.listRuns().map(({ runId, lastAt, outcome, imported, owner }) => ({
    runId,
    lastAt,
    bytes: bytes.get(runId) ?? 0,
    isOver: imported || (outcome !== null && isFinal(outcome) && !isBeingRewound(reader, runId)),
    isOwned: owner?.alive === true,
  }));
}

/** What is shared is not counted: it may go too, or may not. */
function foresee(removable: readonly PruneCandidate[], usedBytes: number, toBytes: number | null) {
  const taken: PruneCandidate[] = [];
  let bytes = 0;
  for (const candidate of removable) {
    if (toBytes !== null && usedBytes - bytes <= toBytes) break;
    taken.push(candidate);
    bytes += candidate.bytes;
  }
  return { removed: taken.map(({ runId }) => runId), events: 0, blobs: 0, bytes };
}

async function prune(
  { file, keeper, toBytes, signal }: PruneStore,
  removable: readonly PruneCandidate[],
  planned: readonly KeptRun[],
): Promise<PruneReport> {
  const removed: PruneCandidate['runId'][] = [];
  const kept = [...planned];
  const total = { events: 0, blobs: 0, bytes: 0 };
  const add = ({ events, blobs, bytes }: Deleted): void => {
    total.events += events;
    total.blobs += blobs;
    total.bytes += bytes;
  };
  for (const run of await keeper.findHidden()) await deleteRun(keeper, run, signal, add);
  await deleteUnnamed(keeper, signal, add);
  for (const { runId } of removable) {
    if (signal.aborted || (toBytes !== null && (await measureUsed(file)) <= toBytes)) break;
    // Asked again in its own transaction: somebody may have taken it up, or taken it out, since it was listed.
    const hiding = await keeper.hide(runId, 'over').catch(toGone);
    if (hiding.kind === 'kept') {
      kept.push({ runId, why: hiding.why });
      continue;
    }
    await deleteRun(keeper, hiding.run, signal, add);
    removed.push(runId);
  }
  while (!signal.aborted && (await keeper.freePages()) > 0);
  return { isDryRun: false, removed, kept, ...total, usedBytes: await measureUsed(file) };
}

/** Deletes what is left of a hidden run. */
export async function deleteRun(
  keeper: StoreKeeper,
  run: number,
  signal: AbortSignal,
  onDeleted: (deleted: Deleted) => void,
): Promise<void> {
  for (let isDone = false; !isDone && !signal.aborted; ) {
    const deleted = await keeper.deleteSome(run);
    onDeleted(deleted);
    isDone = deleted.isDone;
  }
}

async function deleteUnnamed(
  keeper: StoreKeeper,
  signal: AbortSignal,
  onDeleted: (deleted: Deleted) => void,
): Promise<void> {
  for (let afterKey: number | null = 0; afterKey !== null && !signal.aborted; ) {
    const { deleted, lastKey }: Awaited<ReturnType<StoreKeeper['deleteUnnamed']>> =
      await keeper.deleteUnnamed(afterKey);
    onDeleted(deleted);
    afterKey = lastKey;
  }
}

const measureUsed = (file: string): Promise<number> => withDatabase(file, async (database) => readUsedBytes(database));

function toGone(error: unknown): { readonly kind: 'kept'; readonly why: string } {
  if (isEngineError(error) && error.code === 'run-unknown') return { kind: 'kept', why: 'it is gone already' };
  throw error;
}
