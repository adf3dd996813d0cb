// The last part of what a process has written, by its place in everything it ever wrote: whoever reads on from a place is
// told how much lay between it and what is still kept.

export interface LogPart {
  readonly bytes: Uint8Array;
  /** Where to read on. */
  readonly next: number;
  /** Written since the place that was asked for, and not kept. */
  readonly droppedBytes: number;
}

export interface OutputLog {
  /** How much was ever written. */
  readonly end: number;
  push(bytes: Uint8Array): void;
  /** At most `maxBytes` from `cursor` on; a place that is not there yet is the end. */
  read(cursor: number, maxBytes: number): LogPart;
}

export function createOutputLog(keptBytes: number): OutputLog {
  const ring = Buffer.alloc(keptBytes);
  let end = 0;
  const write = (bytes: Uint8Array): void => {
    const start = end % keptBytes;
    const first = bytes.subarray(0, keptBytes - start);
    ring.set(first, start);
    ring.set(bytes.subarray(first.length), 0);
    end += bytes.length;
  };
  return {
    get end() {
      return end;
    },
    push(bytes) {
      for (let at = 0; at < bytes.length; at += keptBytes) write(bytes.subarray(at, at + keptBytes));
    },
    read(cursor, maxBytes) {
      const from = Math.min(cursor, end);
      const start = Math.max(from, end - keptBytes);
      const next = Math.min(end, start + maxBytes);
      return { bytes: copy(ring, start, next), next, droppedBytes: start - from };
    },
  };
}

function copy(ring: Buffer, start: number, end: number): Uint8Array {
  const at = start % ring.length;
  const whole = Buffer.from(ring.subarray(at, at + (end - start)));
  return Buffer.concat([whole, ring.subarray(0, end - start - whole.length)]);
}
