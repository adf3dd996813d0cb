import type { TaskContract } from '../../../shared/task-contract.ts';
import type { JournalReader } from '../../journal/journal.ts';
import type { Redactor } from '../../journal/redactor.ts';
import type { Transcript } from '../transcript.ts';
import type { ReplayedDriver } from './replayed-driver.ts';

/** What an event is made again with. */
export interface ComparePorts {
  readonly reader: Pick<JournalReader, 'readBlob' | 'readOriginal'>;
  readonly redactor: Redactor;
  readonly transcript: Transcript;
  readonly driver: ReplayedDriver;
  readonly contract: TaskContract;
  /** Texts of the engine itself are the same only in the version that wrote them. */
  readonly isOwnVersion: boolean;
}
