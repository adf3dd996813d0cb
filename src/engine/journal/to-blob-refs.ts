// Which blobs an event names. Found by shape rather than by a list per event type, so that a new field cannot be forgotten
// and its blob be pruned under it.
import type { BlobRef } from '../../shared/blob-ref.ts';

/** Every blob reference inside `value`, in the order they stand there. */
export function toBlobRefs(value: unknown): BlobRef[] {
  if (typeof value !== 'object' || value === null) return [];
  if (isBlobRef(value)) return [value];
  return Object.values(value).flatMap(toBlobRefs);
}

function isBlobRef(value: object): value is BlobRef {
  return 'hash' in value && 'bytes' in value && 'origin' in value;
}
