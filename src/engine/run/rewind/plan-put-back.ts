// What would become of each path that the run has written, as it lies there now: found out before anything is touched, so that
// a person can be shown it, and so that all of it can be made durable as the intent.
import type { PutBackFate } from '../../../shared/rewind.ts';
import type { ChangedEntry, WorkspaceChange } from '../../sandbox/sandbox.ts';
import { isWorkspacePath } from './is-workspace-path.ts';
import { toMissingParents } from './missing-parents.ts';
import { orderChanges } from './order-changes.ts';
import type { PathHistory } from './path-history.ts';
import type { PlannedFile, PutBackOptions } from './planned-file.ts';
import { isSameEntry, type RecordedEntry, toRecordedEntry } from './recorded-entry.ts';
import { tooMuch } from './rewind-errors.ts';

/** A file over this size is no text that was edited, and not read. */
const maxFileBytes = 64 * 1024 * 1024;

/** All of it is held in memory, and in one content of the journal. */
const maxMebibytes = 128;

/** In the order in which the changes can be made; paths without one come last. Throws `rewind-refused` for too much. */
export async function planPutBack(options: PutBackOptions, histories: readonly PathHistory[]): Promise<PlannedFile[]> {
  const files: PlannedFile[] = [];
  const contents = new Map<string, readonly string[]>();
  let bytes = 0;
  for (const history of histories) {
    const file = await planPath(options, history, contents);
    bytes += measure(file.change?.before) + measure(file.change?.after);
    if (bytes > maxMebibytes * 1024 * 1024) throw tooMuch(maxMebibytes);
    files.push(file);
  }
  files.push(...(await toMissingParents(options, files)));
  return orderChanges(withoutFull(files, contents));
}

const measure = (entry: ChangedEntry | null | undefined): number => (entry?.kind === 'file' ? entry.bytes.length : 0);

async function planPath(
  { guard, stance, foreign: wish }: PutBackOptions,
  { path, origin, expected, foreign }: PathHistory,
  contents: Map<string, readonly string[]>,
): Promise<PlannedFile> {
  if (origin.kind === 'unknown') return nothing(path, 'not-kept', origin.because);
  if (!isWorkspacePath(path)) return nothing(path, 'left', 'it is no path of the workspace');
  const read = await guard.entry(path, maxFileBytes);
  if (read.kind === 'unreadable') return nothing(path, 'left', read.reason);
  const { entry: now, names } = read;
  if (now?.kind === 'directory') contents.set(path, names);
  const current = toRecordedEntry(now);
  if (isSameEntry(origin.entry, current)) return nothing(path, 'already');
  const because = foreign ?? (expected.some((entry) => isLeftByRun(entry, current)) ? null : changedSince);
  if (because !== null && wish === 'leave') return { ...nothing(path, 'changed', because), isForeign: true };
  const change: WorkspaceChange = { path, before: now, after: toChangedEntry(origin.entry, now) };
  const refusal = await guard.foresee(change, { permitted: 'ask' }, stance);
  if (refusal !== null) return nothing(path, 'refused', refusal);
  const fate = change.after === null ? 'removed' : 'restored';
  return { path, fate, ...(because === null ? {} : { because }), change, isForeign: because !== null };
}

const changedSince = 'somebody else has changed it since';

/** A directory is a place: whoever changed its permissions has changed nothing that would be lost. */
function isLeftByRun(expected: RecordedEntry | null, current: RecordedEntry | null): boolean {
  return isSameEntry(expected, current) || (expected?.kind === 'directory' && current?.kind === 'directory');
}

const newFileMode = 0o644;

function toChangedEntry(entry: RecordedEntry | null, now: ChangedEntry | null): ChangedEntry | null {
  if (entry?.kind !== 'file') return entry;
  const mode = entry.mode ?? (now?.kind === 'file' ? now.mode : newFileMode);
  return { kind: 'file', bytes: entry.read(), mode };
}

function nothing(path: string, fate: PutBackFate, because?: string): PlannedFile {
  return { path, fate, ...(because === undefined ? {} : { because }), change: null, isForeign: false };
}

/** A directory in which something else lies stays, with all that is above it: nothing is removed that the run has not made. */
function withoutFull(files: readonly PlannedFile[], contents: ReadonlyMap<string, readonly string[]>): PlannedFile[] {
  const removed = new Set(files.filter(({ fate }) => fate === 'removed').map(({ path }) => path));
  const full = new Map<string, string>();
  const deepestFirst = [...contents].toSorted(([left], [right]) => right.length - left.length);
  for (const [path, names] of deepestFirst) {
    const other = names.find((name) => !removed.has(`${path}/${name}`) || full.has(`${path}/${name}`));
    if (other !== undefined && isClearedAway(files, path)) full.set(path, other);
  }
  return files.map((file) => {
    const other = full.get(file.path);
    return other === undefined ? file : nothing(file.path, 'left', `something else lies in it: ${other}`);
  });
}

/** Whether the directory there now would give way. */
function isClearedAway(files: readonly PlannedFile[], path: string): boolean {
  const file = files.find((each) => each.path === path);
  return file !== undefined && file.change !== null && file.change.after?.kind !== 'directory';
}
