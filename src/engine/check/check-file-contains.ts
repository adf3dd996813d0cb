// fileContains: the text occurs in the file. Bytes are compared, so line ends and encoding count, and a binary file is
// searched like any other instead of reading as empty.
import type { LeafVerification } from '../../shared/verification.ts';
import type { CheckReport } from './check.ts';
import type { CheckContext } from './check-context.ts';
import { toReport } from './report.ts';
import { reportUnread } from './report-unread.ts';

const shownBytes = 2048;

export async function checkFileContains(
  { file, text }: Extract<LeafVerification, { kind: 'fileContains' }>,
  context: CheckContext,
): Promise<CheckReport> {
  const read = await context.readFile(file);
  if (read.kind !== 'file') return reportUnread(file, read);
  const bytes = Buffer.from(read.file.bytes);
  const wanted = JSON.stringify(text);
  if (bytes.includes(text)) return toReport('met', `${file} contains ${wanted}.`);
  const summary = `${file} does not contain ${wanted}.`;
  return toReport('notMet', summary, { text: `${summary}\n${describeContent(bytes, text)}`, isolation: null });
}

function describeContent(bytes: Buffer, text: string): string {
  if (bytes.length === 0) return 'The file is empty.';
  if (bytes.includes(0))
    return `It is a binary file of ${bytes.length} bytes; it was searched for the text's UTF-8 bytes.`;
  const hint = hasOtherLineEnds(bytes, text) ? 'With other line ends it would contain the text.\n' : '';
  const rest = bytes.length > shownBytes ? `, of which these are the first ${shownBytes}` : '';
  return `${hint}It holds ${bytes.length} bytes${rest}:\n${bytes.toString('utf8', 0, shownBytes)}`;
}

function hasOtherLineEnds(bytes: Buffer, text: string): boolean {
  const withLineFeeds = (value: string): string => value.replaceAll('\r\n', '\n');
  return withLineFeeds(bytes.toString('utf8')).includes(withLineFeeds(text));
}
