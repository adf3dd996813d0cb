// A call whose command has run and left changes that nobody has made yet. From here on it is a call for just those changes:
// judged, asked about and started like one that a model made.
import { hash } from 'node:crypto';
import type { StagedResult } from '../../shared/run-state.ts';
import type { JournalReader } from '../journal/journal.ts';
import type { WorkspaceChange } from '../sandbox/sandbox.ts';
import { unpackChanges } from './pack-changes.ts';

export interface StagedWork {
  readonly kind: 'apply';
  readonly changes: readonly WorkspaceChange[];
  /** Of the changes, before and after. */
  readonly hash: string;
  /** What the command came to without them. */
  readonly text: string;
  readonly status: 'ok' | 'failed';
  readonly commandMs: number;
}

export function readStaged(reader: Pick<JournalReader, 'readBlob' | 'readOriginal'>, staged: StagedResult): StagedWork {
  const known = read.get(staged);
  if (known !== undefined) return known;
  const packed = reader.readOriginal(staged.changes.hash);
  const work: StagedWork = {
    kind: 'apply',
    changes: unpackChanges(packed),
    hash: hash('sha256', packed),
    text: new TextDecoder().decode(reader.readBlob(staged.result.hash)),
    status: staged.status,
    commandMs: staged.durationMs,
  };
  read.set(staged, work);
  return work;
}

/** It is asked for when it is judged, shown and started; the state that names it goes when the step does. */
const read = new WeakMap<StagedResult, StagedWork>();
