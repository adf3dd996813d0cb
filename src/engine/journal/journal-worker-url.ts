// Finds the worker's entry. Run from source it lies beside this file as TypeScript; in the bundle every chunk lies beside
// the entries, so it is the neighbour with the other extension.

/** Where the journal's worker thread is started from. */
export function journalWorkerUrl(): URL {
  const name = import.meta.url.endsWith('.ts') ? './journal-worker.ts' : './journal-worker.js';
  return new URL(name, import.meta.url);
}
