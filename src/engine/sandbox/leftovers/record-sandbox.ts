// What another engine has to know to end a sandbox whose own engine was killed. Written before anything is started, so that
// at no moment something runs that nobody could find; gone when the sandbox is.
import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readProcessState } from '../../process/process-identity.ts';
import { readOwnTag } from '../ownership/owner-tag.ts';
import { openPrivateBase } from '../ownership/private-base.ts';

const RecordedProcess = z.object({ pid: z.int().positive(), startTime: z.string() }).readonly();

const RecordedSandbox = z
  .object({
    isolation: z.string(),
    /** The user that it alone runs as; null: the engine's own. */
    uid: z.int().positive().nullable(),
    /** The value of `treeVariable` in its environment; null where it has none. */
    mark: z.string().min(1).nullable(),
    /** What was started for it: its launcher, the first process of its namespace. */
    processes: z.array(RecordedProcess).readonly(),
  })
  .readonly();

export type RecordedSandbox = z.infer<typeof RecordedSandbox>;

export interface SandboxRecord extends Disposable {
  /** Call it while the process cannot have been reaped. Never throws: the rest of the record stands without it. */
  addProcess(pid: number): void;
}

/** Throws when it cannot be written; then nothing is to be started. */
export function recordSandbox(sandbox: Omit<RecordedSandbox, 'processes'>): SandboxRecord {
  const path = join(openPrivateBase(), `${readOwnTag()}.${randomUUID()}${recordEnding}`);
  const processes: z.infer<typeof RecordedProcess>[] = [];
  const write = (): void => publish(path, JSON.stringify({ ...sandbox, processes }));
  write();
  return {
    addProcess(pid) {
      const startTime = readProcessState(pid)?.startTime;
      if (startTime === undefined) return;
      processes.push({ pid, startTime });
      try {
        write();
      } catch {
        // The disk is full: the mark and the user still tell what belongs to it.
      }
    },
    [Symbol.dispose]: () => rmSync(path, { force: true }),
  };
}

/** How the name of a record ends. */
export const recordEnding = '.json';

/** Null for a file that is no record, or is gone. */
export function readRecord(path: string): RecordedSandbox | null {
  try {
    return RecordedSandbox.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Seen whole or not at all. */
function publish(path: string, text: string): void {
  const draft = `${path}.new`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
