// fileEquals: the file's bytes are exactly the text's. When they are not, the evidence names the first place where they
// part, because "differs" alone sends a model guessing.
import type { LeafVerification } from '../../shared/verification.ts';
import type { CheckReport } from './check.ts';
import type { CheckContext } from './check-context.ts';
import { toReport } from './report.ts';
import { reportUnread } from './report-unread.ts';

const shownCharacters = 160;

export async function checkFileEquals(
  { file, text }: Extract<LeafVerification, { kind: 'fileEquals' }>,
  context: CheckContext,
): Promise<CheckReport> {
  const read = await context.readFile(file);
  if (read.kind !== 'file') return reportUnread(file, read);
  const actual = Buffer.from(read.file.bytes);
  const expected = Buffer.from(text);
  if (actual.equals(expected)) return toReport('met', `${file} is exactly the expected text.`);
  const summary = `${file} is not exactly the expected text.`;
  return toReport('notMet', summary, { text: `${summary}\n${describeDifference(actual, expected)}`, isolation: null });
}

function describeDifference(actual: Buffer, expected: Buffer): string {
  const at = firstDifference(actual, expected);
  const before = expected.toString('utf8', 0, at);
  const line = before.split('\n').length;
  const lineStart = before.lastIndexOf('\n') + 1;
  return [
    `It holds ${actual.length} bytes, expected are ${expected.length}. They part in line ${line}, column ${before.length - lineStart + 1}:`,
    `expected: ${excerpt(expected, Buffer.byteLength(before.slice(0, lineStart)))}`,
    `found:    ${excerpt(actual, Buffer.byteLength(before.slice(0, lineStart)))}`,
  ].join('\n');
}

/** Backs up to the start of a character, so that neither excerpt begins inside one. */
function firstDifference(actual: Buffer, expected: Buffer): number {
  let at = 0;
  while (at < actual.length && at < expected.length && actual[at] === expected[at]) at++;
  while (at > 0 && ((expected[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}

/** Quoted, so that line ends and invisible characters are seen. */
function excerpt(bytes: Buffer, start: number): string {
  if (start >= bytes.length) return '(the end of the file)';
  return JSON.stringify(bytes.toString('utf8', start, start + shownCharacters));
}
