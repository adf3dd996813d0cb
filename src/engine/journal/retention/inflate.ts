// Inflating a stored content, never to more than it says it is: what comes from a file may say anything.
import { zstdDecompressSync } from 'node:zlib';

/** The largest content that the engine keeps. */
export const maxContentBytes: number = 256 * 2 ** 20;

export interface StoredContent {
  readonly codec: string;
  readonly bytes: Uint8Array;
  /** Of the original, which a masked form may differ from. */
  readonly size: number;
  readonly redacted: number;
}

export type Inflated =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'fault'; readonly what: string };

export function inflate({ codec, bytes, size, redacted }: StoredContent): Inflated {
  if (codec === 'raw') return redacted === 1 || bytes.length === size ? { kind: 'bytes', bytes } : wrongSize(size);
  if (codec !== 'zstd') return { kind: 'fault', what: `is stored as "${codec}", which nobody knows` };
  // A mask may be longer than what it stands for, though hardly twice as long.
  const limit = Math.min(maxContentBytes, redacted === 1 ? 2 * size + 2 ** 16 : size);
  try {
    const inflated = zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, limit) });
    return redacted === 1 || inflated.length === size ? { kind: 'bytes', bytes: inflated } : wrongSize(size);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'fault', what: `cannot be inflated to its ${size} bytes: ${reason}` };
  }
}

const wrongSize = (size: number): Inflated => ({ kind: 'fault', what: `is not the ${size} bytes that it says it is` });
