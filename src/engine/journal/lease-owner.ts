// The owner of a lease as the journal keeps it: who it is, how its life can be tested where its pid cannot be seen, and
// where it kept what another engine has to know to end what it started.
import { tmpdir } from 'node:os';
import { isOwnerAlive, type OwnerLife } from '../process/is-owner-alive.ts';
import {
  type ProcessIdentity,
  readProcessIdentity,
  readProcessState,
  readSystemIdentity,
} from '../process/process-identity.ts';
import { readLiveness } from './liveness.ts';

/** Who drives a run. */
export interface LeaseOwner extends ProcessIdentity {
  /** The name of its `Liveness`; empty for an owner of an earlier version. */
  readonly liveness: string;
  /** Its directory for temporary files; empty for an owner of an earlier version. */
  readonly temporary: string;
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
  readonly liveness: string;
  readonly temporary: string;
}

/** The owner that a lease names. */
export function toLeaseOwner(row: LeaseRow): LeaseOwner {
  return {
    machineId: row.machine,
    bootId: row.boot,
    pidNamespace: row.pid_namespace,
    pid: row.pid,
    startTime: row.start_time,
    liveness: row.liveness,
    temporary: row.temporary,
  };
}

/** The calling process, as the owner of a lease. */
export const toOwnLeaseOwner = (liveness: string): LeaseOwner => ({
  ...readProcessIdentity(),
  liveness,
  temporary: tmpdir(),
});

/** Whether the owner lives, as far as that can be told from here. */
export function readOwnerLife(home: string, owner: LeaseOwner): OwnerLife {
  return isOwnerAlive(owner, {
    system: readSystemIdentity(),
    readState: readProcessState,
    readSign: () => readLiveness(home, owner.liveness),
  });
}

/** Whether both are the same process: pids are reused, and starts are counted by each boot and namespace for itself. */
export function isSameOwner(left: LeaseOwner, right: LeaseOwner): boolean {
  return (
    left.machineId === right.machineId &&
    left.bootId === right.bootId &&
    left.pidNamespace === right.pidNamespace &&
    left.pid === right.pid &&
    left.startTime === right.startTime &&
    left.liveness === right.liveness
  );
}
