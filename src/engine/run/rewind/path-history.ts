// What happened to one path since a point of the run: what was there then, what should be there now, and whether somebody
// else wrote to it in between.
import type { RecordedChange } from './recorded-changes.ts';
import { isSameEntry, type RecordedEntry } from './recorded-entry.ts';

export interface PathHistory {
  readonly path: string;
  /** What was there; `unknown` where nobody kept it. */
  readonly origin: { readonly kind: 'known'; readonly entry: RecordedEntry | null } | UnknownOrigin;
  /** Each of these may be what the run left there. */
  readonly expected: readonly (RecordedEntry | null)[];
  /** Why it is not only the run's work any more, as the end of a sentence; null where it is, as far as the journal tells. */
  readonly foreign: string | null;
}

interface UnknownOrigin {
  readonly kind: 'unknown';
  readonly because: string;
}

type ImageChange = Extract<RecordedChange, { kind: 'image' }>;

/** One for each path, in the order in which they were first changed. */
export function toPathHistories(changes: readonly RecordedChange[]): PathHistory[] {
  const byPath = new Map<string, [RecordedChange, ...RecordedChange[]]>();
  for (const change of changes) {
    const before = byPath.get(change.path);
    if (before === undefined) byPath.set(change.path, [change]);
    else before.push(change);
  }
  return [...byPath].map(([path, own]) => toHistory(path, own));
}

function toHistory(path: string, changes: readonly [RecordedChange, ...RecordedChange[]]): PathHistory {
  const [first] = changes;
  const images = changes.filter((change) => change.kind === 'image');
  const last = images.at(-1);
  return {
    path,
    origin:
      first.kind === 'image'
        ? { kind: 'known', entry: withMode(first.before, images) }
        : { kind: 'unknown', because: first.because },
    expected: last === undefined ? [] : last.isUncertain ? [last.after, last.before] : [last.after],
    foreign: findForeign(changes),
  };
}

/** An edit leaves permissions alone, so that those of a later record were there before it too. */
function withMode(entry: RecordedEntry | null, images: readonly ImageChange[]): RecordedEntry | null {
  if (entry?.kind !== 'file' || entry.mode !== null) return entry;
  for (const { before } of images) {
    if (before?.kind === 'file' && before.mode !== null) return { ...entry, mode: before.mode };
  }
  return entry;
}

function findForeign(changes: readonly RecordedChange[]): string | null {
  let before: ImageChange | null = null;
  for (const change of changes) {
    if (change.kind === 'blind') return change.because;
    if (before !== null && !follows(before, change)) return 'somebody else changed it between two changes of the run';
    before = change;
  }
  return null;
}

function follows({ after, before, isUncertain }: ImageChange, next: ImageChange): boolean {
  return isSameEntry(after, next.before) || (isUncertain && isSameEntry(before, next.before));
}
