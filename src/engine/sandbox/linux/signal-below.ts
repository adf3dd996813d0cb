// Sends a signal to everything that came of the first process of a namespace, and not to that one, which is none of the
// command's. Nobody is sent one but under the number and the start by which it was found.
import { readWholeProcessIndex } from '../../process/process-index.ts';
import { isStillThere } from '../../process/process-table.ts';

/** What loses its parent in a namespace becomes a child of the first process there, so that all of it is found. */
export function signalBelow(initPid: number, name: NodeJS.Signals): void {
  const index = readWholeProcessIndex();
  const found = [...index.childrenOf(initPid)];
  // A list that grows while it is walked gives the newcomers too.
  for (const { pid } of found) found.push(...index.childrenOf(pid));
  for (const row of found) if (!row.ended && isStillThere(row)) send(row.pid, name);
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended.
  }
}
