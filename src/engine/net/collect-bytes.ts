// The head of a stream of bytes, and how many came after it.

export interface CollectedBytes {
  push(piece: Uint8Array): void;
  read(): Uint8Array;
  readonly totalBytes: number;
  readonly droppedBytes: number;
}

export function collectBytes(maxBytes: number): CollectedBytes {
  const pieces: Uint8Array[] = [];
  let keptBytes = 0;
  let totalBytes = 0;
  return {
    push(piece) {
      const kept = piece.subarray(0, maxBytes - keptBytes);
      if (kept.length > 0) pieces.push(Buffer.from(kept));
      keptBytes += kept.length;
      totalBytes += piece.length;
    },
    read: () => Buffer.concat(pieces),
    get totalBytes() {
      return totalBytes;
    },
    get droppedBytes() {
      return totalBytes - keptBytes;
    },
  };
}
