// A file that a check cannot read counts as not met: the criterion is about its content, and there is none to be seen.
import type { FileRead } from '../guard/guard.ts';
import type { CheckReport } from './check.ts';
import { toReport } from './report.ts';

/** The report over a file that is missing or unreadable. */
export function reportUnread(file: string, read: Exclude<FileRead, { kind: 'file' }>): CheckReport {
  if (read.kind === 'missing') return toReport('notMet', `There is no file ${file}.`);
  return toReport('notMet', `${file} cannot be read: ${read.reason}`);
}
