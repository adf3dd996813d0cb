// Opens a journal: starts the worker that writes, and joins it with a reader in this thread.
import { createReader } from './create-reader.ts';
import { createWriter } from './create-writer.ts';
import type { Journal } from './journal.ts';
import { createKeeper } from './retention/create-keeper.ts';
import { toDatabaseFile } from './store-file.ts';
import { startWorker } from './worker-link.ts';

export interface OpenJournalOptions {
  /** The directory that holds the journal and its key; created where it is missing. */
  readonly home: string;
  /** The worker's entry; see `journalWorkerUrl`. */
  readonly workerUrl: URL;
}

/**
 * Resolves once the store is open for writing; from then on the process stays alive until the journal is closed. Rejects
 * with the `store-…` errors, which name the file and what to do.
 */
export async function openJournal({ home, workerUrl }: OpenJournalOptions): Promise<Journal> {
  const link = await startWorker(workerUrl, { home });
  const { reader, doorbell } = createReader(home);
  const writer = createWriter(link, { file: toDatabaseFile(home), onAppend: doorbell.ring });
  return {
    reader,
    writer,
    keeper: createKeeper(link),
    async close() {
      // The reader first: the last connection to close is the one that can clear the write-ahead log away.
      reader.close();
      await writer.close();
    },
  };
}
