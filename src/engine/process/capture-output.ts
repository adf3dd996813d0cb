// Keeps the head and the tail of an output and counts what was between them: the start says what ran, the end says how it
// went. Memory and the cost of a write stay bounded, however much is written and in however small pieces.

export interface CapturedOutput {
  /** Where something was left out, a line in the middle says how much. */
  readonly text: string;
  readonly droppedBytes: number;
}

export interface OutputCapture {
  push(chunk: Uint8Array): void;
  read(): CapturedOutput;
}

/** Half of `maxBytes`, which is at least 2, goes to the head, the rest to the tail. */
export function captureOutput(maxBytes: number): OutputCapture {
  const headBytes = Math.ceil(maxBytes / 2);
  const head = Buffer.alloc(headBytes);
  const tail = createRing(maxBytes - headBytes);
  let totalBytes = 0;
  return {
    push(chunk) {
      const room = Math.max(0, headBytes - totalBytes);
      head.set(chunk.subarray(0, room), Math.min(totalBytes, headBytes));
      tail.push(chunk.subarray(room));
      totalBytes += chunk.length;
    },
    read() {
      if (totalBytes <= maxBytes) {
        const whole = Buffer.concat([head.subarray(0, totalBytes), tail.read()]);
        return { text: whole.toString('utf8'), droppedBytes: 0 };
      }
      const start = dropTornEnd(head);
      const end = dropTornStart(tail.read());
      const droppedBytes = totalBytes - start.length - end.length;
      return { text: `${toText(start)}\n[${droppedBytes} bytes left out]\n${toText(end)}`, droppedBytes };
    },
  };
}

/** A text that fits `maxBytes` but for the line that says what was left out. */
export function clipText(text: string, maxBytes: number): string {
  const capture = captureOutput(maxBytes);
  capture.push(Buffer.from(text));
  return capture.read().text;
}

/** The last `size` bytes of what was pushed. */
function createRing(size: number) {
  const ring = Buffer.alloc(size);
  let written = 0;
  return {
    push(bytes: Uint8Array): void {
      const kept = bytes.subarray(Math.max(0, bytes.length - size));
      const start = (written + bytes.length - kept.length) % size;
      ring.set(kept.subarray(0, size - start), start);
      ring.set(kept.subarray(size - start), 0);
      written += bytes.length;
    },
    read(): Uint8Array {
      if (written <= size) return ring.subarray(0, written);
      const start = written % size;
      return Buffer.concat([ring.subarray(start), ring.subarray(0, start)]);
    },
  };
}

/** Without the last character when a cut went through it. */
export function dropTornEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function dropTornStart(bytes: Uint8Array): Uint8Array {
  const start = bytes.subarray(0, 3).findIndex((byte) => !isContinuation(byte));
  return bytes.subarray(start === -1 ? Math.min(3, bytes.length) : start);
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}
