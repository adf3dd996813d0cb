// The room of files that no directory names any more and that a command still holds open: nobody finds them in its
// directories, and they are gone with its last process.
import { type BigIntStats, readdirSync, statSync } from 'node:fs';
import { listThreads, readThreadRow } from '../../process/process-table.ts';
import { toErrorCode } from '../to-error-code.ts';
import { bytesPerBlock, type Measured, type MeasureOptions } from './measure-tree.ts';
import { takeTurns } from './take-turns.ts';

export interface Holders extends MeasureOptions {
  readonly pids: readonly number[];
  /** The file system that counts. */
  readonly device: bigint;
}

/** Never rejects. Finds nothing where there is no /proc. */
export async function measureUnnamed({ pids, device, enoughBytes, signal }: Holders): Promise<Measured> {
  const turns = takeTurns();
  const counted = new Set<bigint>();
  let bytes = 0;
  let isWhole = true;
  for (const pid of pids) {
    // Each may have closed what it shared with the others, and have opened files of its own.
    for (const thread of listThreads(pid)) {
      const open = listOpen(pid, thread);
      if (open === null) isWhole = false;
      for (const path of open ?? []) {
        await turns.pass();
        if (signal.aborted || bytes > enoughBytes) return { bytes, isWhole };
        const stats = lookAt(path);
        if (stats === null || !isUnnamed(stats, device) || counted.has(stats.ino)) continue;
        counted.add(stats.ino);
        bytes += Number(stats.blocks) * bytesPerBlock;
      }
    }
  }
  return { bytes, isWhole };
}

const isUnnamed = (stats: BigIntStats, device: bigint): boolean =>
  stats.isFile() && stats.nlink === 0n && stats.dev === device;

/** Null where a process has shut itself to us, as every process can to all but the superuser. */
function listOpen(pid: number, thread: number): readonly string[] | null {
  const directory = `/proc/${pid}/task/${thread}/fd`;
  try {
    return readdirSync(directory).map((name) => `${directory}/${name}`);
  } catch (error) {
    if (toErrorCode(error) !== 'EACCES') return [];
    // What ends is shut to them too, and holds nothing any more.
    return readThreadRow(pid, thread)?.hasMemory === true ? null : [];
  }
}

/** Null for what has been closed meanwhile. */
function lookAt(path: string): BigIntStats | null {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return null;
  }
}
