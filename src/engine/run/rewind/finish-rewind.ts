// Carries out a rewind whose intent is in the journal, and says what came of it. A crash on the way is no harm: the next who
// comes makes the same changes again, and what is already there counts as made.
import { agentOf, openCallsOf } from '../../../shared/find-in-run.ts';
import { rootAgentId } from '../../../shared/id.ts';
import type { RunOutcome } from '../../../shared/outcome.ts';
import type { PutBackFile } from '../../../shared/rewind.ts';
import type { PendingRewind, RunState } from '../../../shared/run-state.ts';
import type { ChangeMade } from '../../guard/guard.ts';
import { createBlob } from '../../journal/create-blob.ts';
import type { JournalReader, Lease, NewBlob, NewEvent } from '../../journal/journal.ts';
import { toBatches } from '../apply-changes.ts';
import { findWaiting } from '../approvals.ts';
import type { RewindReport } from '../engine.ts';
import { unpackChanges } from '../pack-changes.ts';
import { leaseLost } from './rewind-errors.ts';
import type { RewindPorts } from './rewind-ports.ts';
import { toRewindNote } from './to-rewind-note.ts';

/** `found`: it was begun by a process that has ended; it may have left temporary files. */
export async function finishRewind(
  ports: RewindPorts,
  lease: Lease,
  state: RunState,
  by: 'own' | 'found',
): Promise<RewindReport> {
  const { rewinding } = state;
  if (rewinding === null) throw new RangeError(`Run ${state.runId} is not being rewound`);
  const { journal, guard, stance } = ports;
  const files = await putBackRewound({ reader: journal.reader, guard, stance }, rewinding, by);
  const { actor, aim, untold } = rewinding;
  const cancelled = aim.kind === 'step' ? findOpenQuestions(state) : [];
  const outcome = toOutcome(state, rewinding);
  const body = {
    type: 'run-rewind',
    actor,
    aim: aim.kind,
    ...(aim.kind === 'step' ? { to: aim.step } : {}),
    files,
    untold,
    cancelled,
    ...(outcome === undefined ? {} : { outcome }),
  } as const;
  await append(ports, lease, state, body, toRewindNote(state, rewinding, files));
  const step = aim.kind === 'step' ? aim.step : null;
  return { runId: state.runId, aim: aim.kind, step, isDone: true, files, untold, cancelled };
}

export interface PutBackPorts extends Pick<RewindPorts, 'guard' | 'stance'> {
  readonly reader: Pick<JournalReader, 'readOriginal'>;
}

/** Makes its changes. Paths that change come first in the list, in the order in which they were packed. */
export async function putBackRewound(
  { reader, guard, stance }: PutBackPorts,
  { changes: packed, files }: PendingRewind,
  by: 'own' | 'found',
): Promise<PutBackFile[]> {
  const changes = packed === null ? [] : unpackChanges(reader.readOriginal(packed.hash));
  const ends: ChangeMade[] = [];
  for (const batch of toBatches(changes)) {
    const made = batch.map(async (change) => {
      // It removes what the dead process left beside the file; whether it can be read is of no matter here.
      if (by === 'found') await guard.hash(change.path).catch(() => null);
      return guard.change(change, { permitted: 'ask' }, stance);
    });
    ends.push(...(await Promise.all(made)));
  }
  return files.map((file, place) => toFile(file, ends[place]));
}

function toFile(file: PutBackFile, end: ChangeMade | undefined): PutBackFile {
  switch (end?.kind) {
    case undefined:
    case 'made':
      return file;
    case 'stale':
      return { ...file, fate: 'changed', because: 'somebody changed it in this moment' };
    case 'unpermitted':
      return { ...file, fate: 'refused', because: end.because };
    case 'unwritable':
      return { ...file, fate: 'left', because: end.reason };
  }
}

function findOpenQuestions(state: RunState): string[] {
  const unsettled = openCallsOf(state).flatMap(({ stage }) =>
    stage.kind === 'unsettled' && stage.answer === null ? [stage.request] : [],
  );
  return [...findWaiting(state), ...unsettled];
}

/** How the run stands afterwards; undefined: as before. */
function toOutcome({ rewound }: RunState, { aim }: PendingRewind): RunOutcome | null | undefined {
  switch (aim.kind) {
    case 'step':
      return { kind: 'rewound', step: aim.step };
    case 'files':
      return undefined;
    case 'undo':
      return withoutQuestions(rewound?.left?.outcome);
  }
}

/** A run does not wait for answers to questions that were withdrawn: whoever resumes it has them asked again. */
function withoutQuestions(outcome: RunOutcome | null | undefined): RunOutcome | null | undefined {
  switch (outcome?.kind) {
    case 'awaitingApproval':
    case 'awaitingPlan':
    case 'awaitingRecovery':
      return null;
    default:
      return outcome;
  }
}

async function append(
  { journal, redactor }: RewindPorts,
  lease: Lease,
  state: RunState,
  body: NewEvent['body'],
  note: string | null,
): Promise<void> {
  const { step } = agentOf(state, { agentId: rootAgentId });
  const place = { agentId: rootAgentId, step, at: Date.now() };
  const blobs: NewBlob[] = note === null ? [] : [createBlob(note, { origin: 'engine', redactor })];
  const notes = blobs.map(({ ref }) => ({
    ...place,
    body: { type: 'observation', kind: 'rewind', content: ref } as const,
  }));
  const appended = await journal.writer.append(lease, [{ ...place, body }, ...notes], blobs);
  if (appended.kind === 'lease-lost') throw leaseLost(state.runId);
}
