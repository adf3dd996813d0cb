// Leases: who may append driver events to a run. Each takeover raises the generation, so that a driver that was presumed
// dead and wakes up again finds its right gone instead of writing beside its successor.
import type { Database } from 'better-sqlite3';
import type { RunId } from '../../shared/id.ts';
import type { Lease, LeaseResult, LeaseWrest } from './journal.ts';
import {
  isSameOwner,
  type LeaseOwner,
  type LeaseRow,
  readOwnerLife,
  toLeaseOwner,
  toOwnLeaseOwner,
} from './lease-owner.ts';
import { holdLiveness, type Liveness } from './liveness.ts';

/** `cleared` is the owner, where it is dead and the caller has seen to what it started. */
export interface WrestFrom {
  readonly owner: LeaseOwner;
  readonly cleared: LeaseOwner | null;
}

export interface LeaseStore {
  create(run: number, runId: RunId): Lease;
  /** `cleared` is the dead owner whose processes the caller has seen ended. */
  take(run: number, runId: RunId, cleared: LeaseOwner | null): LeaseResult;
  /** Takes the right from this owner, unless it is seen to live, and gives it to nobody: the next one to ask has it. */
  wrest(run: number, from: WrestFrom, at: number): LeaseWrest;
  release(lease: Lease, at: number): void;
  /** Remembers a lease of our own. Call it once its transaction is committed: one rolled back may be somebody else's by now. */
  keep(lease: Lease): void;
  /** Releases what is kept and was not released since. */
  releaseAll(at: number): void;
  /** Whether this lease is still the run's. Ask inside the transaction that relies on the answer. */
  isHeld(run: number, lease: Lease): boolean;
  /** Why somebody is, or must be presumed, at work on the run; null: nobody is. */
  findDriver(run: number): string | null;
  /** Gives up the sign of life, after the leases. */
  close(): void;
}

export function createLeaseStore(database: Database, home: string): LeaseStore {
  const find = database.prepare<[number], LeaseRow>('select * from lease where run = ?');
  const held = database
    .prepare<[number, number], number>('select 1 from lease where run = ? and generation = ? and released_at is null')
    .pluck();
  const write = database.prepare(
    `insert or replace into lease
     (run, generation, machine, boot, pid_namespace, pid, start_time, liveness, temporary, released_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, null)`,
  );
  const release = database.prepare(
    `update lease set released_at = ?
     where run = (select key from run where id = ?) and generation = ? and released_at is null`,
  );
  const wrest = database.prepare('update lease set generation = generation + 1, released_at = ? where run = ?');
  const findNamed = database
    .prepare<[string], number>('select 1 from lease where liveness = ? and released_at is null')
    .pluck();
  const own = new Map<RunId, Lease>();
  let liveness: Liveness | undefined;
  let self: LeaseOwner | undefined;

  const writeOwn = (run: number, runId: RunId, generation: number): Lease => {
    liveness ??= holdLiveness(home, (name) => findNamed.get(name) === 1);
    self ??= toOwnLeaseOwner(liveness.name);
    const { machineId, bootId, pidNamespace, pid, startTime, temporary } = self;
    write.run(run, generation, machineId, bootId, pidNamespace, pid, startTime, liveness.name, temporary);
    return { runId, generation };
  };

  return {
    create: (run, runId) => writeOwn(run, runId, 1),
    take(run, runId, cleared) {
      const row = find.get(run);
      if (row && row.released_at === null) {
        const owner = toLeaseOwner(row);
        const { alive, why } = readOwnerLife(home, owner);
        if (alive) return { kind: 'held', owner, why };
        if (cleared === null || !isSameOwner(owner, cleared)) return { kind: 'dead', owner };
      }
      return { kind: 'taken', lease: writeOwn(run, runId, (row?.generation ?? 0) + 1) };
    },
    wrest(run, { owner, cleared }, at) {
      const row = find.get(run);
      if (!row || row.released_at !== null || !isSameOwner(toLeaseOwner(row), owner)) return { kind: 'changed' };
      const { alive, certain, why } = readOwnerLife(home, owner);
      if (alive && certain) return { kind: 'held', owner, why };
      if (!alive && (cleared === null || !isSameOwner(owner, cleared))) return { kind: 'dead' };
      wrest.run(at, run);
      return { kind: 'wrested' };
    },
    release: (lease, at) => void release.run(at, lease.runId, lease.generation),
    keep: (lease) => void own.set(lease.runId, lease),
    releaseAll(at) {
      for (const lease of own.values()) release.run(at, lease.runId, lease.generation);
      own.clear();
    },
    isHeld: (run, lease) => held.get(run, lease.generation) === 1,
    findDriver(run) {
      const row = find.get(run);
      if (!row || row.released_at !== null) return null;
      const { alive, why } = readOwnerLife(home, toLeaseOwner(row));
      return alive ? why : null;
    },
    close: () => liveness?.close(),
  };
}
