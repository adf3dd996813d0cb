// The numbers of the users and groups that a process acts as, as /proc shows them.
import { readShortFile } from './process-table.ts';

export interface Credentials {
  /** Real, effective, saved and for files. */
  readonly uids: readonly number[];
  /** The same of its group, and its supplementary groups. */
  readonly gids: readonly number[];
}

/** Undefined when there is no such process or this system has no /proc. */
export function readCredentials(pid: number): Credentials | undefined {
  try {
    return parseCredentials(readShortFile(`/proc/${pid}/status`));
  } catch {
    return undefined;
  }
}

function parseCredentials(status: string): Credentials {
  return {
    uids: readNumbers(/^Uid:(.*)$/m, status),
    gids: [...readNumbers(/^Gid:(.*)$/m, status), ...readNumbers(/^Groups:(.*)$/m, status)],
  };
}

function readNumbers(line: RegExp, status: string): number[] {
  return (line.exec(status)?.[1]?.match(/\d+/g) ?? []).map(Number);
}
