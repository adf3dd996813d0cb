// Asks `ps` about the processes of this machine. macOS tells nothing of a process to a program without rights of its own,
// so the system's program is asked, at most once at a time and never in this thread.
import { treeVariable } from '../../process/process-index.ts';
import { spawnProcess } from '../../process/spawn-process.ts';
import { type FreshSource, keepFresh } from './fresh-value.ts';
import {
  environmentColumns,
  type ListedProcess,
  parseEnvironments,
  parseProcessList,
  processColumns,
} from './parse-process-list.ts';

export interface ProcessSources {
  readonly processes: FreshSource<readonly ListedProcess[]>;
  /** The value of `treeVariable` of those that show their environment, by identity. The system's own programs do not. */
  readonly marks: FreshSource<ReadonlyMap<string, string>>;
}

/** One for all commands of this process. */
export const machineProcesses: ProcessSources = {
  processes: keepFresh(async () => {
    const text = await askPs(['-axo', processColumns]);
    return text === null ? null : parseProcessList(text);
  }),
  // Where it cannot be asked nobody is found by a mark.
  marks: keepFresh(async () => parseEnvironments((await askPs(['-axEwwo', environmentColumns])) ?? '', treeVariable)),
};

const maxBytes = 32 * 1024 ** 2;
const wallMs = 2_000;

async function askPs(options: readonly string[]): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const tooMuch = new AbortController();
  const end = await spawnProcess({
    argv: ['/bin/ps', ...options],
    directory: '/',
    // The same moment has the same words in every answer.
    environment: { LC_ALL: 'C', TZ: 'UTC' },
    signal: tooMuch.signal,
    wallMs,
    onStdout(chunk) {
      length += chunk.length;
      if (length > maxBytes) tooMuch.abort();
      else chunks.push(chunk);
    },
    onStderr: () => undefined,
  });
  return end.kind === 'exit' && end.code === 0 ? Buffer.concat(chunks).toString('utf8') : null;
}
