import type { BlobRef } from '../../shared/blob-ref.ts';

/** A content on its way into the journal. */
export interface NewBlob {
  readonly ref: BlobRef;
  /** The readable bytes: masked where the original holds a recognised secret. */
  readonly readable: Uint8Array;
  /** The original, to be sealed; only when `readable` differs from it and the original is still needed. */
  readonly original?: Uint8Array;
}
