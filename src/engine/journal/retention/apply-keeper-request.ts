// Carries out what the keeper asks for, inside the transaction of the request.
import { assertNever } from '../../../shared/assert-never.ts';
import { rebuildRun } from '../projector.ts';
import type { PreparedBlob } from '../store-blob.ts';
import type { Stores } from '../stores.ts';
import { deleteSome, deleteUnnamed } from './delete-rows.ts';
import { findHidden, hideRun } from './hide-run.ts';
import type { KeeperReply, KeeperRequest } from './keeper-message.ts';
import { addImported, beginImport, finishImport } from './write-import.ts';

export function applyKeeperRequest(
  stores: Stores,
  request: KeeperRequest,
  blobs: readonly PreparedBlob[],
): KeeperReply {
  const { database } = stores;
  switch (request.kind) {
    case 'hide-run':
      return { kind: 'hiding', hiding: hideRun(stores, request) };
    case 'find-hidden':
      return { kind: 'hidden-runs', runs: findHidden(stores) };
    case 'delete-some':
      return { kind: 'deleted', deleted: deleteSome(database, request.run), lastKey: null };
    case 'delete-unnamed':
      return { kind: 'deleted', ...deleteUnnamed(database, request.afterKey) };
    case 'free-pages':
      database.pragma(`incremental_vacuum(${pagesAtOnce})`);
      return { kind: 'free-pages', left: Number(database.pragma('freelist_count', { simple: true })) };
    case 'rebuild-run':
      rebuildRun(database, request.run);
      return { kind: 'done' };
    case 'begin-import':
      return { kind: 'begun', run: beginImport(stores, request.runId) };
    case 'add-imported':
      addImported(stores, request, blobs);
      return { kind: 'done' };
    case 'finish-import':
      finishImport(stores, request);
      return { kind: 'done' };
    default:
      return assertNever(request);
  }
}

/** Four megabytes: a few hundredths of a second. */
const pagesAtOnce = 1000;
