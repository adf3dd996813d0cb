// One open file for the length of one piece of work. Opening, looking and closing are done in this thread: each takes
// microseconds, while a trip to the thread pool takes longer than all of them. Only what may wait for a disk goes there.
import { closeSync, constants, fsync, openSync, read, readSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';

/** Up to this size a file is most likely in memory, and copying it takes less than asking another thread to. */
const quickBytes = 64 * 1024;
const pieceBytes = 256 * 1024;

/** Never through a link, and never waiting for the other end of a pipe. */
export const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const readLater = promisify(read);
const writeLater = promisify(write);

/** Resolves once the content of the file, or the entries of the directory, are on the disk. */
export const sync: (descriptor: number) => Promise<void> = promisify(fsync);

/** Opens `path`, lets `use` work with its descriptor, and closes it whatever comes of that. Throws what opening throws. */
export async function withDescriptor<Result>(
  path: string,
  open: { readonly flags: number; readonly mode?: number },
  use: (descriptor: number) => Promise<Result>,
): Promise<Result> {
  const descriptor = openSync(path, open.flags, open.mode);
  try {
    return await use(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads to the end of the file, which may have grown since its size was asked; null when it grew over the limit. */
export async function readAll(descriptor: number, expectedBytes: number, maxBytes: number): Promise<Uint8Array | null> {
  let buffer = Buffer.allocUnsafe(Math.min(expectedBytes, maxBytes) + 1);
  let length = 0;
  for (;;) {
    const bytesRead = await readInto(descriptor, buffer.subarray(length));
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > maxBytes) return null;
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(buffer.length * 2, maxBytes + 1));
  }
}

/** The rest of the file piece by piece; a piece is overwritten by the next one. */
export async function* readPieces(descriptor: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (;;) {
    const { bytesRead } = await readLater(descriptor, buffer, 0, buffer.length, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Writes all of `bytes` at the file's present place. */
export async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const rest = bytes.subarray(written);
    written +=
      rest.length <= quickBytes ? writeSync(descriptor, rest) : (await writeLater(descriptor, rest)).bytesWritten;
  }
}

async function readInto(descriptor: number, buffer: Uint8Array): Promise<number> {
  if (buffer.length <= quickBytes) return readSync(descriptor, buffer);
  return (await readLater(descriptor, buffer, 0, buffer.length, null)).bytesRead;
}
