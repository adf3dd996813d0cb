// Makes a content ready for the journal: masked where it holds a secret, and named by its hash.
import { hash } from 'node:crypto';
import type { Origin } from '../../shared/blob-ref.ts';
import { BlobHash } from '../../shared/id.ts';
import type { NewBlob } from './journal.ts';
import type { Redactor } from './redactor.ts';

export interface CreateBlobOptions {
  readonly origin: Origin;
  /** Finds secrets; left out for contents the engine made itself. */
  readonly redactor?: Redactor;
  /**
   * What becomes of an original that holds a secret. `drop`: only the masked form exists, and the reference is to it; for
   * what the model is shown. `seal`: the reference is to the original, which is kept encrypted beside the masked form; for
   * what has to come back unaltered, as call arguments and file contents.
   */
  readonly original?: 'drop' | 'seal';
}

/** The blob for `content`, with the reference that events carry. */
export function createBlob(content: string | Uint8Array, options: CreateBlobOptions): NewBlob {
  const { origin, redactor, original = 'drop' } = options;
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const redacted = redactor?.redactBytes(bytes);
  if (redacted === undefined || redacted.found === 0) return toBlob(bytes, origin);
  if (original === 'drop') return toBlob(redacted.bytes, origin);
  const sealed = toBlob(bytes, origin);
  return { ref: { ...sealed.ref, sealed: true }, readable: redacted.bytes, original: bytes };
}

function toBlob(bytes: Uint8Array, origin: Origin): NewBlob {
  return { ref: { hash: hashBytes(bytes), bytes: bytes.length, origin }, readable: bytes };
}

/** The name of a content: SHA-256 of its bytes. */
export function hashBytes(bytes: Uint8Array): BlobHash {
  return BlobHash.parse(hash('sha256', bytes));
}
