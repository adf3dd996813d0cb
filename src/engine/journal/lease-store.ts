// Leases: who may append driver events to a run. Each takeover raises the generation, so that a driver that was presumed
// dead and wakes up again finds its right gone instead of writing beside its successor.
import type { Database } from 'better-sqlite3';
import type { RunId } from '../../shared/id.ts';
import { isOwnerAlive } from '../process/is-owner-alive.ts';
import { readProcessIdentity } from '../process/process-identity.ts';
import type { Lease, LeaseOwner, LeaseResult } from './journal.ts';

export interface LeaseStore {
  create(run: number, runId: RunId): Lease;
  take(run: number, runId: RunId): LeaseResult;
  release(lease: Lease, at: number): void;
  /** Remembers a lease of our own. Call it once its transaction is committed: one rolled back may be somebody else's by now. */
  keep(lease: Lease): void;
  /** Releases what is kept and was not released since. */
  releaseAll(at: number): void;
  /** Whether this lease is still the run's. Ask inside the transaction that relies on the answer. */
  isHeld(run: number, lease: Lease): boolean;
}

/** The columns of a lease that name its owner. */
export interface LeaseRow {
  readonly generation: number;
  readonly machine: string;
  readonly boot: string;
  readonly pid_namespace: string;
  readonly pid: number;
  readonly start_time: string;
  readonly released_at: number | null;
}

export function createLeaseStore(database: Database): LeaseStore {
  const find = database.prepare<[number], LeaseRow>('select * from lease where run = ?');
  const held = database
    .prepare<[number, number], number>('select 1 from lease where run = ? and generation = ? and released_at is null')
    .pluck();
  const write = database.prepare('insert or replace into lease values (?, ?, ?, ?, ?, ?, ?, null)');
  const release = database.prepare(
    `update lease set released_at = ?
     where run = (select key from run where id = ?) and generation = ? and released_at is null`,
  );
  const own = new Map<RunId, Lease>();
  let self: LeaseOwner | undefined;

  const writeOwn = (run: number, runId: RunId, generation: number): Lease => {
    self ??= readProcessIdentity();
    write.run(run, generation, self.machineId, self.bootId, self.pidNamespace, self.pid, self.startTime);
    return { runId, generation };
  };

  return {
    create: (run, runId) => writeOwn(run, runId, 1),
    take(run, runId) {
      const row = find.get(run);
      if (row && row.released_at === null) {
        const owner = toLeaseOwner(row);
        const { alive, why } = isOwnerAlive(owner);
        if (alive) return { kind: 'held', owner, why };
      }
      return { kind: 'taken', lease: writeOwn(run, runId, (row?.generation ?? 0) + 1) };
    },
    release: (lease, at) => void release.run(at, lease.runId, lease.generation),
    keep: (lease) => void own.set(lease.runId, lease),
    releaseAll(at) {
      for (const lease of own.values()) release.run(at, lease.runId, lease.generation);
      own.clear();
    },
    isHeld: (run, lease) => held.get(run, lease.generation) === 1,
  };
}

/** The owner that a lease names. */
export function toLeaseOwner(row: LeaseRow): LeaseOwner {
  return {
    machineId: row.machine,
    bootId: row.boot,
    pidNamespace: row.pid_namespace,
    pid: row.pid,
    startTime: row.start_time,
  };
}
