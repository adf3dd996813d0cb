// What stands in the journal behind an event, as far as it belongs to the same thing.
import { type EventOf, type JournalEvent, PersonEventBody } from '../../../../shared/event.ts';
import type { RunId } from '../../../../shared/id.ts';
import type { JournalReader } from '../../../journal/journal.ts';
import { type CallEvent, isSameCall } from './run-again.ts';

export interface RecordedEvents {
  /** The event and what its agent has done next, so many in all; what others did and said may stand in between. */
  readOwn(event: CallEvent, count: number): JournalEvent[];
  /** The verdicts on one call that stand together, and what comes behind them. */
  readVerdicts(event: EventOf<'act-judged'>): { verdicts: JournalEvent[]; next: JournalEvent | null };
}

const batchSize = 64;
const personTypes: ReadonlySet<string> = new Set(PersonEventBody.options.map(({ shape }) => shape.type.value));

export function createRecordedEvents(reader: Pick<JournalReader, 'readEvents'>, runId: RunId): RecordedEvents {
  function* readFrom({ seq }: JournalEvent): Generator<JournalEvent> {
    for (let after = seq - 1; ; after += batchSize) {
      const events = reader.readEvents(runId, after, batchSize);
      yield* events;
      if (events.length < batchSize) return;
    }
  }
  return {
    readOwn(event, count) {
      const own: JournalEvent[] = [];
      for (const each of readFrom(event)) {
        if (each.agentId === event.agentId && !personTypes.has(each.type)) own.push(each);
        if (own.length >= count) break;
      }
      return own;
    },
    readVerdicts(event) {
      const verdicts: JournalEvent[] = [];
      for (const each of readFrom(event)) {
        if (each.type !== 'act-judged' || !isSameCall(each, event)) return { verdicts, next: each };
        verdicts.push(each);
      }
      return { verdicts, next: null };
    },
  };
}
