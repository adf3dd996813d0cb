// Undoes the compression of a content, within bounds: a small one may stand for more than any memory holds.
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { collectBytes } from './collect-bytes.ts';

export interface DecodeLimits {
  /** As much as is kept. */
  readonly maxBytes: number;
  /** As much as is decoded, for the count of what is left out. */
  readonly maxDecodedBytes: number;
}

export type DecodedContent =
  | { readonly kind: 'decoded'; readonly bytes: Uint8Array; readonly droppedBytes: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** `encoding` as the header says it. A content that was cut off gives what can be told from its start. */
export async function decodeContent(
  content: Uint8Array,
  encoding: string,
  { maxBytes, maxDecodedBytes }: DecodeLimits,
): Promise<DecodedContent> {
  const collected = collectBytes(maxBytes);
  const decoder = createDecoder(encoding.trim().toLowerCase());
  if (decoder === undefined)
    return { kind: 'failed', reason: 'its content is compressed in a way that is not read here' };
  if (decoder === null) collected.push(content);
  else {
    decoder.end(content);
    try {
      for await (const piece of decoder) {
        collected.push(piece);
        if (collected.totalBytes > maxDecodedBytes) break;
      }
    } catch {
      return { kind: 'failed', reason: 'its content is damaged: it cannot be decompressed' };
    }
  }
  return { kind: 'decoded', bytes: collected.read(), droppedBytes: collected.droppedBytes };
}

/** Null where there is nothing to undo; undefined for what nobody asked for. */
function createDecoder(encoding: string) {
  switch (encoding) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'deflate':
      return createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}
