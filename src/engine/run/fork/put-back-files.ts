// Brings a copy of a workspace back to what the original was at a step. What somebody else has made of a file since is put
// back as well: it stays where it is in the original.

import type { RunId } from '../../../shared/id.ts';
import type { PutBackFile } from '../../../shared/rewind.ts';
import type { Guard } from '../../guard/guard.ts';
import type { JournalReader } from '../../journal/journal.ts';
import type { Stance } from '../../policy/policy.ts';
import { type PathHistory, toPathHistories } from '../rewind/path-history.ts';
import { planPutBack } from '../rewind/plan-put-back.ts';
import type { PlannedFile } from '../rewind/planned-file.ts';
import { changeEvents, inWorkspace, readRecordedChanges } from '../rewind/recorded-changes.ts';

export interface LaterChanges {
  /** What has become of each path since, in the order in which they were first changed. */
  readonly histories: readonly PathHistory[];
  readonly untold: number;
}

/** What the run has made different after `seq`. */
export function readLaterChanges(reader: JournalReader, runId: RunId, seq: number): LaterChanges {
  const events = inWorkspace(reader.readEventsOf(runId, changeEvents)).filter((event) => event.seq > seq);
  const { changes, untold } = readRecordedChanges(reader, events);
  return { histories: toPathHistories(changes), untold };
}

/** What became of each path. `guard` is that of the copy. */
export async function putBackFiles(
  guard: Guard,
  stance: Stance,
  histories: readonly PathHistory[],
): Promise<PutBackFile[]> {
  const files: PutBackFile[] = [];
  for (const planned of await planPutBack({ guard, stance, foreign: 'keep-copy' }, histories)) {
    files.push(await putBack(guard, stance, planned));
  }
  return files;
}

async function putBack(
  guard: Guard,
  stance: Stance,
  { path, fate, because, change }: PlannedFile,
): Promise<PutBackFile> {
  const told: PutBackFile = { path, fate, ...(because === undefined ? {} : { because }) };
  if (change === null) return told;
  const made = await guard.change(change, { permitted: 'ask' }, stance);
  switch (made.kind) {
    case 'made':
      return told;
    case 'stale':
      return { path, fate: 'left', because: 'it was changed in this moment' };
    case 'unpermitted':
      return { path, fate: 'refused', because: made.because };
    case 'unwritable':
      return { path, fate: 'left', because: made.reason };
  }
}
