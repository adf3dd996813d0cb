// Runs that something can still be asked about: all that are not over for good.
import type { RunId } from '../../shared/id.ts';
import { isFinal } from '../../shared/outcome.ts';
import type { JournalReader } from '../journal/journal.ts';

export function findOpenRuns(reader: JournalReader): RunId[] {
  return reader.listRuns().flatMap(({ runId, outcome }) => (outcome !== null && isFinal(outcome) ? [] : [runId]));
}
