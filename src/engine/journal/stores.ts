// The stores of a journal, side by side on one connection.
import type { Database } from 'better-sqlite3';
import type { EventStore } from './event-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { BlobStore } from './store-blob.ts';
import type { StorePlaceStore } from './store-place.ts';

/** The stores that share one writing connection. */
export interface Stores {
  readonly database: Database;
  readonly file: string;
  readonly blobs: BlobStore;
  readonly events: EventStore;
  readonly leases: LeaseStore;
  readonly place: StorePlaceStore;
}
