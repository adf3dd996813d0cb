// What the model has to know of a rewind: which files are not as its conversation says. Where all of them are, nothing is
// said, so that the run goes on just as it would have gone on then.
import type { PutBackFate, PutBackFile } from '../../../shared/rewind.ts';
import type { PendingRewind, RunState } from '../../../shared/run-state.ts';
import { toPathText } from '../to-path-text.ts';

/** Null for nothing. */
export function toRewindNote(
  { rewound }: RunState,
  { aim, untold }: PendingRewind,
  files: readonly PutBackFile[],
): string | null {
  const stays = aim.kind === 'files' || (aim.kind === 'undo' && rewound?.left === null);
  return stays ? describePutBack(files) : describeMissed(files, untold);
}

function describePutBack(files: readonly PutBackFile[]): string | null {
  const put = files.filter(({ fate }) => fate === 'restored' || fate === 'removed');
  if (put.length === 0) return null;
  const lines = toLines(put, ({ fate, path }) => `${fate} ${toPathText(path)}`);
  return ['A person has put these files back to what they were at an earlier time:', ...lines, advice].join('\n');
}

const missedFates: ReadonlySet<PutBackFate> = new Set(['changed', 'not-kept', 'refused', 'left']);

function describeMissed(files: readonly PutBackFile[], untold: number): string | null {
  const missed = files.filter(({ fate }) => missedFates.has(fate));
  if (missed.length + untold === 0) return null;
  const lines = toLines(missed, ({ path, because }) => `${toPathText(path)}: ${because ?? 'it was not put back'}`);
  const more = untold === 0 ? [] : [`- and ${untold} more that nobody has noted down`];
  const head = 'A person has taken this work back to this point. These files are not as they were then:';
  return [head, ...lines, ...more, advice].join('\n');
}

const advice = 'Read a file again before you rely on what you know of it.';

const maxLines = 50;

function toLines(files: readonly PutBackFile[], toLine: (file: PutBackFile) => string): string[] {
  const more = files.length - maxLines;
  const lines = files.slice(0, maxLines).map((file) => `- ${toLine(file)}`);
  return more > 0 ? [...lines, `- and ${more} more`] : lines;
}
