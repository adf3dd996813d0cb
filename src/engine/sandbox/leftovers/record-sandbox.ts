// What another engine has to know to end a sandbox whose own engine was killed. Written before anything is started, so that
// at no moment something runs that nobody could find; gone when the sandbox is.
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readOwnTag } from '../../process/owner-tag.ts';
import { readProcessState } from '../../process/process-identity.ts';
import { openPrivateBase } from '../ownership/private-base.ts';

const RecordedProcess = z.object({ pid: z.int().positive(), startTime: z.string() }).readonly();

const RecordedBearing = z
  .object({
    isolation: z.string(),
    /** The user that it alone runs as; null: the engine's own. */
    uid: z.int().positive().nullable(),
    /** The value of `treeVariable` in its environment; null where it has none. */
    mark: z.string().min(1).nullable(),
    /** The directory of the control group that it alone is in; null where it has none. */
    controlGroup: z.string().min(1).nullable().default(null),
  })
  .readonly();

type RecordedBearing = z.infer<typeof RecordedBearing>;
type NewBearing = z.input<typeof RecordedBearing>;

export interface RecordedSandbox extends RecordedBearing {
  /** What was started for it: its launcher, the first process of its namespace. */
  readonly processes: readonly z.infer<typeof RecordedProcess>[];
}

export interface SandboxRecord extends Disposable {
  /** Call it while the process cannot have been reaped. Never throws: the rest of the record stands without it. */
  addProcess(pid: number): void;
}

/** A line for what its processes bear, and one for each of them. Throws when it cannot be written; then nothing is to be started. */
export function recordSandbox(sandbox: NewBearing): SandboxRecord {
  const path = join(openPrivateBase(), `${readOwnTag()}.${randomUUID()}${recordEnding}`);
  let file: number | null = openSync(path, 'wx', 0o600);
  const close = (): void => {
    if (file !== null) closeSync(file);
    file = null;
    rmSync(path, { force: true });
  };
  try {
    writeSync(file, toLine(sandbox));
  } catch (error) {
    close();
    throw error;
  }
  return {
    addProcess(pid) {
      const startTime = readProcessState(pid)?.startTime;
      if (startTime === undefined || file === null) return;
      try {
        writeSync(file, toLine({ pid, startTime }));
      } catch {
        // The disk is full: the mark and the user still tell what belongs to it.
      }
    },
    [Symbol.dispose]: close,
  };
}

const toLine = (part: object): string => `${JSON.stringify(part)}\n`;

/** How the name of a record ends. */
export const recordEnding = '.json';

/** Null for a file that is no record, or is gone. A line whose writing was cut off counts as none. */
export function readRecord(path: string): RecordedSandbox | null {
  try {
    const [first = '', ...others] = readFileSync(path, 'utf8').split('\n');
    return { ...RecordedBearing.parse(JSON.parse(first)), processes: others.flatMap(toProcess) };
  } catch {
    return null;
  }
}

function toProcess(line: string): readonly z.infer<typeof RecordedProcess>[] {
  try {
    return [RecordedProcess.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}
