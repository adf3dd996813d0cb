// Keeps a body until it has ended, up to a size. What is over the size is dropped and the reading stops there.
import { Buffer } from 'node:buffer';

export interface CollectedBody {
  /** False once the size is reached. */
  add(bytes: Uint8Array): boolean;
  readonly isFull: boolean;
  toText(): string;
}

/** Creates an empty body of at most `maxBytes`. */
export function collectBody(maxBytes: number): CollectedBody {
  const pieces: Uint8Array[] = [];
  let size = 0;
  return {
    add(bytes) {
      if (size < maxBytes) pieces.push(bytes.subarray(0, maxBytes - size));
      size += bytes.byteLength;
      return size < maxBytes;
    },
    get isFull() {
      return size >= maxBytes;
    },
    toText: () => Buffer.concat(pieces).toString('utf8'),
  };
}
