// The texts of contents. A run that is gone on with needs all of its context at once, thousands of contents of which many are
// the same, so they can be fetched ahead: many in one question, and each of them once.
import type { BlobHash } from '../../shared/id.ts';
import type { JournalReader } from '../journal/journal.ts';

export interface TextReader {
  /** The readable text. Throws `blob-missing`. */
  read(hash: BlobHash): string;
  /** The text as it came, also where what people are shown is masked. Throws `blob-missing`. */
  readOriginal(hash: BlobHash): string;
  /** Fetches these, in place of those that were fetched before; what is masked or missing is left to whoever asks for it. */
  fetch(hashes: readonly BlobHash[]): void;
}

export type ContentReader = Pick<JournalReader, 'readBlob' | 'readOriginal' | 'readContents'>;

export function createTextReader(reader: ContentReader): TextReader {
  const decoder = new TextDecoder();
  const fetched = new Map<BlobHash, string>();
  return {
    read: (hash) => fetched.get(hash) ?? decoder.decode(reader.readBlob(hash)),
    readOriginal: (hash) => fetched.get(hash) ?? decoder.decode(reader.readOriginal(hash)),
    fetch(hashes) {
      fetched.clear();
      if (hashes.length === 0) return;
      for (const [hash, bytes] of reader.readContents(hashes)) fetched.set(hash, decoder.decode(bytes));
    },
  };
}
