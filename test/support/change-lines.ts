// What a command left, with each change as one line.
import type { ChangedEntry, Leavings, WorkspaceChange } from '../../src/engine/sandbox/sandbox.ts';

export function toChangeLines(left: Leavings) {
  return left.kind === 'changes' ? { changes: left.changes.map(toLine), lost: left.lost } : left;
}

function toLine({ path, before, after }: WorkspaceChange): string {
  return `${path}: ${describeEntry(before)} -> ${describeEntry(after)}`;
}

function describeEntry(entry: ChangedEntry | null): string {
  if (entry === null) return 'nothing';
  if (entry.kind === 'link') return `link ${entry.target}`;
  const mode = entry.mode.toString(8);
  return entry.kind === 'directory' ? `directory ${mode}` : `file ${mode} ${Buffer.from(entry.bytes)}`;
}
