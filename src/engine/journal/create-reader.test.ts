import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createTemporaryHome,
  newRunId,
  sampleObservation,
  sampleRunStart,
} from '../../../test/journal/journal-samples.ts';
import { isEngineError } from '../../shared/engine-error.ts';
import { commitRequests } from './commit-requests.ts';
import { createReader } from './create-reader.ts';
import { closeStores, openStores } from './open-stores.ts';

/** A closed journal with one run of 200 events and 100 kB of contents. */
function fillHome(home: string) {
  const stores = openStores(home);
  const runId = newRunId();
  const start = sampleRunStart();
  const samples = Array.from({ length: 199 }, (_, index) =>
    sampleObservation(`${index} ${Math.sin(index)}`.repeat(20)),
  );
  const events = [start, ...samples].map(({ event }) => event);
  const blobs = [start, ...samples].flatMap((sample) => sample.blobs);
  expect(commitRequests(stores, [{ kind: 'create-run', runId, events, blobs }])).toMatchObject([{ kind: 'lease' }]);
  closeStores(stores);
  return runId;
}

describe('reading a damaged journal', () => {
  it.each<[what: string, damage: (file: string) => void]>([
    ['cut to nothing', (file) => truncateSync(file, 0)],
    ['cut in the middle', (file) => truncateSync(file, statSync(file).size / 2)],
    ['short of its last page', (file) => truncateSync(file, statSync(file).size - 4_096)],
    [
      'overwritten behind its first page',
      (file) => writeFileSync(file, Buffer.alloc(400_000, 0xee), { flag: 'r+', flush: true }),
    ],
  ])('%s is a clear error, never an empty journal', (_what, damage) => {
    using home = createTemporaryHome();
    const runId = fillHome(home.path);
    const file = join(home.path, 'journal.db');
    damage(file);
    const { reader } = createReader(home.path);
    const codes = [() => reader.readEvents(runId), () => reader.listRuns()].map((read) => {
      try {
        return read();
      } catch (error) {
        return isEngineError(error) && error.message.includes(file) ? error.code : error;
      }
    });
    reader.close();
    expect(codes).toEqual(['store-damaged', 'store-damaged']);
  });
});
