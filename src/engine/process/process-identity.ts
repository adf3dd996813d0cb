// Who this process is, in terms that another process can check later: the machine, its boot, the namespace its pid counts
// in, the pid, and when it started. A pid alone says nothing, because pids are reused.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { readProcessRow } from './process-table.ts';
import { readProgramOutput } from './read-program-output.ts';

/** Enough to tell, after a crash or from another process, whether the process still lives. */
export interface ProcessIdentity {
  readonly machineId: string;
  readonly bootId: string;
  /** Inode of the process id namespace; empty where the system has none. */
  readonly pidNamespace: string;
  readonly pid: number;
  /** Start of the process in the system's own unit, so that a reused pid is not taken for it. */
  readonly startTime: string;
}

/** The part of an identity that all processes of one machine, boot and namespace share. */
export type SystemIdentity = Pick<ProcessIdentity, 'machineId' | 'bootId' | 'pidNamespace'>;

/** What the system knows of a process now. */
export interface ProcessState {
  /** In the system's own unit; only compared, never computed with. Empty where it cannot be told. */
  readonly startTime: string;
  /** It has ended and only waits for its parent to notice. */
  readonly ended: boolean;
}

/** The identity of the calling process, as it is written into a lease or a lock. */
export function readProcessIdentity(): ProcessIdentity {
  return { ...readSystemIdentity(), pid: process.pid, startTime: readProcessState(process.pid)?.startTime ?? '' };
}

/** Asked once: it stays the same for as long as this process lives, and on some systems the answer takes a while. */
export function readSystemIdentity(): SystemIdentity {
  systemIdentity ??= askSystemIdentity();
  return systemIdentity;
}

let systemIdentity: SystemIdentity | undefined;

function askSystemIdentity(): SystemIdentity {
  if (process.platform === 'linux') {
    return {
      machineId: readOrEmpty(() => readFileSync('/etc/machine-id', 'utf8')) || hostname(),
      bootId: readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
      pidNamespace: readOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
    };
  }
  const device = readProgramOutput('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
  return {
    // The host name is a last resort: a laptop gets another one in another network.
    machineId: /"IOPlatformUUID" = "([^"]+)"/.exec(device)?.[1] ?? hostname(),
    bootId: readProgramOutput('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']),
    pidNamespace: '',
  };
}

/** The process with this pid; null only when the system says that there is none, not when it merely does not tell. */
export function readProcessState(pid: number): ProcessState | null {
  if (!exists(pid)) return null;
  if (process.platform === 'linux') {
    const row = readProcessRow(pid);
    return row === undefined ? untold : { startTime: String(row.startTime), ended: row.ended };
  }
  const [state, ...started] = readProgramOutput('/bin/ps', ['-o', 'stat=,lstart=', '-p', String(pid)]).split(/\s+/);
  return state ? { startTime: started.join(' '), ended: state.startsWith('Z') } : untold;
}

const untold: ProcessState = { startTime: '', ended: false };

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function readOrEmpty(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return '';
  }
}
