// What a run has made different in its workspace, change by change, out of its journal: edits of tools, change sets of
// commands, earlier rewinds, and the paths of which only that they changed is known.
import { isWithin } from '../../../shared/agent-tree.ts';
import { assertNever } from '../../../shared/assert-never.ts';
import type { BlobRef } from '../../../shared/blob-ref.ts';
import type { EventOf, EventType, FileChange, JournalEvent } from '../../../shared/event.ts';
import type { AgentId } from '../../../shared/id.ts';
import type { JournalReader } from '../../journal/journal.ts';
import { unpackChanges } from '../pack-changes.ts';
import { type RecordedEntry, toRecordedEntry } from './recorded-entry.ts';

export type RecordedChange =
  | {
      readonly kind: 'image';
      readonly path: string;
      readonly before: RecordedEntry | null;
      readonly after: RecordedEntry | null;
      /** Nobody can say from the journal whether it was made. */
      readonly isUncertain: boolean;
    }
  /** Somebody wrote there, and neither what was there nor what came of it was kept. */
  | { readonly kind: 'blind'; readonly path: string; readonly because: string };

export interface RecordedChanges {
  readonly changes: readonly RecordedChange[];
  /** Changes of processes that were not told one by one. */
  readonly untold: number;
}

/** The types of event in which a change can stand. */
export const changeEvents: readonly EventType[] = [
  'agent-spawn',
  'call-start',
  'call-stage',
  'call-finish',
  'process-exit',
  'rewind-start',
  'run-adopt',
];

type Reader = Pick<JournalReader, 'readOriginal'>;

/** Without those of agents that worked in worktrees: what became of their files the call tells that waited for them. */
export function inWorkspace(events: readonly JournalEvent[]): JournalEvent[] {
  const apart: AgentId[] = [];
  return events.filter((event) => {
    if (event.type === 'agent-spawn' && event.worktree !== undefined) apart.push(event.child);
    return !apart.some((agentId) => isWithin(event.agentId, agentId));
  });
}

/** In the order in which they were made. `events` are those of `changeEvents`, in the workspace. */
export function readRecordedChanges(reader: Reader, events: readonly JournalEvent[]): RecordedChanges {
  const open = new Map<string, OpenCall>();
  const changes: RecordedChange[] = [];
  let untold = 0;
  const close = (key: string, finish: EventOf<'call-finish'> | null) => {
    const call = open.get(key);
    if (call === undefined) return;
    open.delete(key);
    changes.push(...toChanges(reader, call, finish));
  };
  for (const event of sinceAdopted(events)) {
    switch (event.type) {
      case 'call-start':
        if (event.change !== undefined) open.set(toKey(event), { kind: 'edit', change: event.change });
        break;
      case 'call-stage':
        open.set(toKey(event), { kind: 'staged', changes: event.changes });
        break;
      case 'call-finish':
        close(toKey(event), event);
        break;
      case 'process-exit':
        changes.push(...toBlind(event));
        untold += event.untold;
        break;
      case 'rewind-start':
        if (event.changes !== undefined) changes.push(...readPacked(reader, event.changes));
        break;
      default:
        break;
    }
  }
  for (const key of [...open.keys()]) close(key, null);
  return { changes, untold };
}

/** Whatever was before happened to another directory, and what it held may not have come along. */
function sinceAdopted(events: readonly JournalEvent[]): readonly JournalEvent[] {
  return events.slice(events.findLastIndex(({ type }) => type === 'run-adopt') + 1);
}

type OpenCall =
  | { readonly kind: 'edit'; readonly change: FileChange }
  | { readonly kind: 'staged'; readonly changes: BlobRef };

const toKey = ({ agentId, step, call }: EventOf<'call-start' | 'call-stage' | 'call-finish'>): string =>
  `${agentId} ${step} ${call}`;

function toChanges(reader: Reader, call: OpenCall, finish: EventOf<'call-finish'> | null): RecordedChange[] {
  switch (call.kind) {
    case 'edit':
      return toEdit(reader, call.change, finish);
    case 'staged':
      return toStaged(reader, call.changes, finish);
    default:
      return assertNever(call);
  }
}

/** A call that failed, or was refused at its start, has changed nothing. */
function toEdit(
  reader: Reader,
  { path, before, after }: FileChange,
  finish: EventOf<'call-finish'> | null,
): RecordedChange[] {
  const isUncertain = finish === null || finish.status === 'unknown';
  if (!isUncertain && finish.status !== 'ok') return [];
  const toEntry = (blob: BlobRef | null): RecordedEntry | null =>
    blob === null ? null : { kind: 'file', hash: blob.hash, mode: null, read: () => reader.readOriginal(blob.hash) };
  return [{ kind: 'image', path, before: toEntry(before), after: toEntry(after), isUncertain }];
}

/** A path that holds a secret is told masked, so that one which is told and not found leaves all that are not told in doubt. */
function toStaged(reader: Reader, blob: BlobRef, finish: EventOf<'call-finish'> | null): RecordedChange[] {
  const packed = readPacked(reader, blob);
  if (finish === null) return packed;
  const told = new Set(finish.paths ?? []);
  const known = new Set(packed.map(({ path }) => path));
  const isDoubtful = [...told].some((path) => !known.has(path));
  return packed.flatMap((change) => {
    if (told.has(change.path)) return [{ ...change, isUncertain: false }];
    return isDoubtful ? [change] : [];
  });
}

type ImageChange = Extract<RecordedChange, { kind: 'image' }>;

/** Each in doubt. A pack is taken apart again when a content of it is wanted: all of them together may be very much. */
export function readPacked(reader: Reader, blob: BlobRef): ImageChange[] {
  const unpack = () => unpackChanges(reader.readOriginal(blob.hash));
  return unpack().map(({ path, before, after }, place) => ({
    kind: 'image',
    path,
    before: toLater(toRecordedEntry(before), () => unpack()[place]?.before ?? null),
    after: toLater(toRecordedEntry(after), () => unpack()[place]?.after ?? null),
    isUncertain: true,
  }));
}

function toLater(
  entry: RecordedEntry | null,
  again: () => ReturnType<typeof unpackChanges>[number]['before'],
): RecordedEntry | null {
  if (entry?.kind !== 'file') return entry;
  const { kind, hash, mode } = entry;
  const read = (): Uint8Array => {
    const found = again();
    return found?.kind === 'file' ? found.bytes : new Uint8Array();
  };
  return { kind, hash, mode, read };
}

/** What was put aside or led back is as it was. */
function toBlind({ process, changes }: EventOf<'process-exit'>): RecordedChange[] {
  const because = `the process ${process} worked in the workspace itself, and what was there before was not kept`;
  return changes.flatMap(({ path, became }) =>
    became === 'kept' || became === 'left' ? [{ kind: 'blind', path, because }] : [],
  );
}
