// The contract of a run that is replayed. Of one that came out of a file there may only be the form in which its secrets are
// masked. That is enough: no request ever held them, and the prompt was masked in the same way.
import { EngineError, isEngineError } from '../../../shared/engine-error.ts';
import type { RunState } from '../../../shared/run-state.ts';
import { TaskContract } from '../../../shared/task-contract.ts';
import type { JournalReader } from '../../journal/journal.ts';

type Reader = Pick<JournalReader, 'readOriginal' | 'readBlob'>;

/** `keys`: whether this home has the key for what the run has sealed. Throws `run-imported` where the masked form is none. */
export function readReplayedContract(reader: Reader, state: RunState, keys: 'own' | 'perhaps'): TaskContract {
  const { hash, sealed = false } = state.settings.contract;
  try {
    return parse(reader.readOriginal(hash));
  } catch (error) {
    if (keys === 'own' || !sealed || !isEngineError(error)) throw error;
    return parseMasked(reader.readBlob(hash), state);
  }
}

const parse = (bytes: Uint8Array): TaskContract => TaskContract.parse(JSON.parse(new TextDecoder().decode(bytes)));

function parseMasked(bytes: Uint8Array, { runId }: RunState): TaskContract {
  try {
    return parse(bytes);
  } catch (cause) {
    const message = `The contract of run ${runId} came with its secrets masked, and where they are left out nothing says what it was.`;
    throw new EngineError('run-imported', message, {
      remedy: 'Export the run again with --sealed where it was made, and import it with that key.',
      cause,
    });
  }
}
