// Where a store lives, kept in the store itself. A copy lies elsewhere and so is told from its original: both driven, a run
// would be paid and acted twice. A file that was moved keeps its inode, and is no copy.
import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { readSystemIdentity } from '../process/process-identity.ts';
import { createStoreError } from './store-error.ts';

export interface StorePlace {
  readonly machine: string;
  readonly boot: string;
  readonly device: string;
  readonly inode: string;
}

export interface StorePlaceStore {
  /** Throws `store-copied` when the store is a copy that nobody has adopted. Call it in a transaction. */
  assertHere(): void;
  /** From now on it lives here. Call it in a transaction. */
  adopt(): void;
}

/** A store that does not say where it lives is taken to live here from now on. */
export function openStorePlace(database: Database, file: string): StorePlaceStore {
  const find = database.prepare<[], StorePlace>('select machine, boot, device, inode from store_place');
  const insert = database.prepare('insert or ignore into store_place values (1, ?, ?, ?, ?)');
  const replace = database.prepare('insert or replace into store_place values (1, ?, ?, ?, ?)');
  const write = (statement: typeof insert, { machine, boot, device, inode }: StorePlace): void =>
    void statement.run(machine, boot, device, inode);
  if (find.get() === undefined) write(insert, readPlace(file));
  return {
    assertHere() {
      const [recorded, here] = [find.get(), readPlace(file)];
      if (recorded === undefined || !isSamePlace(recorded, here)) throw copied(file);
      if (recorded.boot !== here.boot || recorded.machine !== here.machine) write(replace, here);
    },
    adopt() {
      const [recorded, here] = [find.get(), readPlace(file)];
      if (recorded !== undefined && isSamePlace(recorded, here)) return;
      write(replace, here);
      // The locks that its leases name are the original's: beside the copy nobody holds them, and nobody is dead for that.
      database.prepare("update lease set liveness = ''").run();
    },
  };
}

function readPlace(file: string): StorePlace {
  const { machineId, bootId } = readSystemIdentity();
  const { dev, ino } = statSync(file, { bigint: true });
  return { machine: machineId, boot: bootId, device: String(dev), inode: String(ino) };
}

/** Exported for its tests: nobody can restart a machine in one. */
export function isSamePlace(recorded: StorePlace, here: StorePlace): boolean {
  if (recorded.inode !== here.inode) return false;
  const isSameBoot = recorded.boot !== '' && recorded.boot === here.boot;
  // The numbers of devices are dealt anew when a machine starts, and a container may call its machine something else.
  if (isSameBoot) return recorded.device === here.device;
  return recorded.machine === here.machine;
}

const copied = (file: string): Error =>
  createStoreError('store-copied', file, 'it lies elsewhere than it says it does, as after copying or restoring it');
