// Whether every content that an event names is there and is what its name says. Each is looked at once.
import type { BlobRef } from '../../../shared/blob-ref.ts';
import { isEngineError } from '../../../shared/engine-error.ts';
import type { JournalEvent } from '../../../shared/event.ts';
import type { BlobHash } from '../../../shared/id.ts';
import { hashBytes } from '../../journal/create-blob.ts';
import type { JournalReader } from '../../journal/journal.ts';
import { toBlobRefs } from '../../journal/to-blob-refs.ts';
import { compare, type Mismatch } from './divergence.ts';

export interface IntactBlobs {
  /** The first content of the event that is not what it should be; null for none. */
  check(event: JournalEvent): Mismatch | null;
  /** Sealed originals that this home has no key for, or that did not come with the run. */
  readonly sealed: number;
}

type Reader = Pick<JournalReader, 'readOriginal' | 'readBlob'>;

/** `keys`: whether this home has the key for what the run has sealed; one that came out of a file may have been sealed elsewhere. */
export function createIntactBlobs(reader: Reader, keys: 'own' | 'perhaps'): IntactBlobs {
  const known = new Set<BlobHash>();
  let sealed = 0;
  const look = (ref: BlobRef): Mismatch | null => {
    if (known.has(ref.hash)) return null;
    known.add(ref.hash);
    try {
      return compare('content', ref.hash, hashBytes(reader.readOriginal(ref.hash)));
    } catch (error) {
      if (!isEngineError(error)) throw error;
      const isElsewhere = keys === 'perhaps' && ref.sealed === true && hasMaskedForm(reader, ref);
      if (!isElsewhere) return compare('content', ref.hash, error.message);
      sealed += 1;
      return null;
    }
  };
  return {
    check: (event) => toBlobRefs(event).reduce((found: Mismatch | null, ref) => found ?? look(ref), null),
    get sealed() {
      return sealed;
    },
  };
}

function hasMaskedForm(reader: Reader, { hash }: BlobRef): boolean {
  try {
    reader.readBlob(hash);
    return true;
  } catch (error) {
    if (isEngineError(error)) return false;
    throw error;
  }
}
