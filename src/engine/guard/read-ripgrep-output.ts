// Takes ripgrep's output apart as it comes in: a path ends with a NUL, because it may hold anything else. What cannot be a
// path of the workspace, such as a name that is not UTF-8, is left out: no tool could name it.

type ChunkReader = (chunk: Buffer) => void;

/** Where ripgrep says that there is something to see. */
export interface LinePlace {
  readonly path: string;
  readonly line: number;
}

/** Longer than any path and any cut line; what is over is not ripgrep's. */
const maxPendingBytes = 1024 * 1024;

/** Reads the output of `--files --null`. */
export function createPathReader(onPath: (path: string) => void): ChunkReader {
  return createSplitter(0, (record) => {
    const path = toPath(record);
    if (path !== undefined) onPath(path);
  });
}

/**
 * Reads lines of `path NUL number : text`. ripgrep's own remarks on binary files have no NUL and are skipped. A name with a
 * line break in it cannot be told from a remark before another name, so what this reads is a hint and no proof.
 */
export function createLineReader(onPlace: (place: LinePlace) => void): ChunkReader {
  return createSplitter(0x0a, (record) => {
    const end = record.indexOf(0);
    if (end === -1) return;
    const path = toPath(record.subarray(0, end));
    const [, number] = /^(\d{1,15}):/.exec(record.toString('latin1', end + 1)) ?? [];
    if (path !== undefined && number !== undefined) onPlace({ path, line: Number(number) });
  });
}

function createSplitter(separator: number, onRecord: (record: Buffer) => void): ChunkReader {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(separator); end !== -1; end = bytes.indexOf(separator, start)) {
      onRecord(bytes.subarray(start, end));
      start = end + 1;
    }
    pending = bytes.length - start > maxPendingBytes ? Buffer.alloc(0) : bytes.subarray(start);
  };
}

function toPath(bytes: Buffer): string | undefined {
  const path = bytes.toString();
  return path.startsWith('./') && Buffer.from(path).equals(bytes) ? path.slice(2) : undefined;
}
