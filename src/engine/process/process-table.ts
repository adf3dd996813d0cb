// The processes of this machine as /proc shows them; empty where there is no /proc. One reading is shared by everyone who
// accepts its age, so that a hundred watched commands cost no more than one.
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

/** One process. `pid` and `startTime` together name it; a pid alone is given to another process sooner or later. */
export interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  /** Clock ticks since boot. */
  readonly startTime: number;
  readonly residentPages: number;
  /** It has ended and waits for its parent to notice; no signal does anything to it. */
  readonly ended: boolean;
}

let latest: { readonly at: number; readonly rows: readonly ProcessRow[] } | undefined;

/** Every process, as of at most `maxAgeMs` ago. */
export function readProcessTable(maxAgeMs = 0): readonly ProcessRow[] {
  const now = performance.now();
  if (latest !== undefined && now - latest.at < maxAgeMs) return latest.rows;
  const rows = listProcessIds().flatMap((pid) => readProcessRow(pid) ?? []);
  latest = { at: now, rows };
  return rows;
}

/** One process, or undefined when it is gone or this system has no /proc. */
export function readProcessRow(pid: number): ProcessRow | undefined {
  try {
    return parseStat(readShortFile(`/proc/${pid}/stat`));
  } catch {
    return undefined;
  }
}

/** Half the cost of `readFileSync`, which asks for the size of a file that has none; it is called for every process. */
function readShortFile(path: string): string {
  const descriptor = openSync(path, 'r');
  try {
    return buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

const buffer = Buffer.alloc(2048);

function listProcessIds(): number[] {
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
  } catch {
    return [];
  }
}

/** The program's name stands in brackets and may itself hold blanks and brackets, so fields count from the last one. */
export function parseStat(line: string): ProcessRow | undefined {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, parentPid, groupId] = fields;
  const startTime = fields[19];
  const residentPages = fields[21];
  if (parentPid === undefined || groupId === undefined || startTime === undefined || residentPages === undefined) {
    return undefined;
  }
  return {
    pid: Number.parseInt(line, 10),
    parentPid: Number(parentPid),
    groupId: Number(groupId),
    startTime: Number(startTime),
    residentPages: Number(residentPages),
    ended: state === 'Z' || state === 'X',
  };
}
