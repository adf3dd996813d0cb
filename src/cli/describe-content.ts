// How much there is to read before somebody can answer a request.
import type { RequestDetails } from '../shared/approval.ts';
import { toVisible } from '../shared/to-visible.ts';
import { counted } from './counted.ts';

type Content = RequestDetails['content'];

const maxLines = 200;
const maxBytes = 16 * 1024;

/** Whether nobody takes it in at a glance: then it is approved only by whoever has seen its end. */
export function isLong(content: Content): boolean {
  const { lines, bytes } = measure(content);
  return lines > maxLines || bytes > maxBytes;
}

/** `diff, 12 lines, 340 B`. */
export function describeContent(content: Content): string {
  const { lines, bytes } = measure(content);
  return `${content.kind}, ${counted(lines, 'line')}, ${formatBytes(bytes)}`;
}

/** The lines of the content, each behind a bar, so that none of them can pass for one of ours. */
export function quoteContent({ text }: Content): string[] {
  return withoutLastEnd(toVisible(text, { multiline: true }))
    .split('\n')
    .map((line) => `  | ${line}`);
}

export const formatBytes = (bytes: number): string =>
  bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toFixed(1)} KiB`;

function measure({ text }: Content): { lines: number; bytes: number } {
  return { lines: withoutLastEnd(text).split('\n').length, bytes: Buffer.byteLength(text) };
}

const withoutLastEnd = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text);
