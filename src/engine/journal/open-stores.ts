// Opens the writing connection with everything that stands on it, and closes both together.

import { createEventStore } from './event-store.ts';
import { createLeaseStore } from './lease-store.ts';
import { openStore } from './open-store.ts';
import { ensureSealKey } from './seal-key.ts';
import { createBlobStore } from './store-blob.ts';
import { toStoreError } from './store-error.ts';
import { toDatabaseFile, toSealKeyFile } from './store-file.ts';
import { openStorePlace } from './store-place.ts';
import type { Stores } from './stores.ts';

/** The stores in the home directory. Throws the `store-…` errors. */
export function openStores(home: string): Stores {
  const file = toDatabaseFile(home);
  const database = openStore(file);
  let key: Uint8Array | undefined;
  const loadKey = (): Uint8Array => {
    key ??= ensureSealKey(toSealKeyFile(home));
    return key;
  };
  const blobs = createBlobStore(database, loadKey);
  const events = createEventStore(database, blobs.findKey);
  const leases = createLeaseStore(database, home);
  return { database, file, blobs, events, leases, place: openStorePlace(database, file) };
}

/**
 * Gives back the leases still held and moves the write-ahead log into the database file. On a full disk both are left for
 * later: the log is as durable as the file, and a lease ends with its process.
 */
export function closeStores({ database, file, leases }: Stores): void {
  try {
    leases.releaseAll(Date.now());
    // Never waits for readers of other processes: what is left in the log then stays there until the next close.
    database.pragma('wal_checkpoint(PASSIVE)');
  } catch (error) {
    if (toStoreError(error, file).code !== 'store-full') throw error;
  } finally {
    leases.close();
    database.close();
  }
}
