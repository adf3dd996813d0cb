// The changes that a command left, as text that a person can read to its end: each path in a line that says what would become
// of it, and the lines that are different. Names and contents are a stranger's; none can pass for a line of ours.
import { createTwoFilesPatch } from 'diff';
import type { ChangedEntry, WorkspaceChange } from '../sandbox/sandbox.ts';
import { toText } from './decode-text.ts';
import { toPathText } from './to-path-text.ts';

/** What is longer, or takes longer to compare, is told by its size alone: of one file, and of all of them. */
const maxFileBytes = 256 * 1024;
const maxFileMs = 200;
const maxAllBytes = 1024 * 1024;
const maxAllMs = 2000;

export function toChangesText(changes: readonly WorkspaceChange[]): string {
  const endMs = performance.now() + maxAllMs;
  let bytesLeft = maxAllBytes;
  const toOne = (change: WorkspaceChange): string => {
    const heading = `${toPathText(change.path)}: ${describeEntry(change.before)} would become ${describeEntry(change.after)}.\n`;
    if (!isContentChanged(change)) return heading;
    const leftMs = Math.min(maxFileMs, endMs - performance.now());
    const lines = leftMs > 0 ? toDiff(change, leftMs) : null;
    if (lines === null || lines.length > bytesLeft)
      return `${heading}Its content is not shown: it is no text, or too long.\n`;
    bytesLeft -= lines.length;
    return heading + lines;
  };
  return changes.map(toOne).join('\n');
}

function isContentChanged({ before, after }: WorkspaceChange): boolean {
  if (before?.kind === 'file' && after?.kind === 'file') return Buffer.compare(before.bytes, after.bytes) !== 0;
  return [before, after].some((entry) => entry?.kind === 'file' && entry.bytes.length > 0);
}

/** Without the lines that name the files: the heading does. Null where no lines can be compared. */
function toDiff({ before, after }: WorkspaceChange, leftMs: number): string | null {
  const old = toLines(before);
  const now = toLines(after);
  if (old === null || now === null) return null;
  const patch = createTwoFilesPatch('', '', old, now, '', '', { context: 3, timeout: leftMs });
  return patch?.slice(patch.indexOf('@@')) ?? null;
}

/** The text of a file, empty for whatever has none; null for what is no text or too long to compare. */
function toLines(entry: ChangedEntry | null): string | null {
  if (entry?.kind !== 'file') return '';
  return entry.bytes.length > maxFileBytes ? null : toText(entry.bytes);
}

function describeEntry(entry: ChangedEntry | null): string {
  switch (entry?.kind) {
    case undefined:
      return 'nothing';
    case 'file':
      return `a file of ${entry.bytes.length} bytes (mode ${toOctal(entry.mode)})`;
    case 'directory':
      return `a directory (mode ${toOctal(entry.mode)})`;
    case 'link':
      return `a link to ${JSON.stringify(entry.target)}`;
  }
}

const toOctal = (mode: number): string => mode.toString(8);
