// Of one result the model is shown at most 32 KiB: its head and its tail, what was left out, and how to read on. The
// journal keeps the whole.
const shownBytes = 32 * 1024;
/** Room for the note between head and tail, whose longest part is the target. */
const noteBytes = 1024;

/** What the model is shown of a result of `target`; the text itself when it fits. Cuts at line ends where there are some. */
export function toShown(text: string, target: string): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= shownBytes) return text;
  const half = Math.floor((shownBytes - noteBytes) / 2);
  const head = cutHead(bytes.subarray(0, half).toString('utf8'));
  const tail = cutTail(bytes.subarray(bytes.length - half).toString('utf8'));
  const from = countLines(text.slice(0, head.length + 1));
  const to = countLines(text.slice(0, -tail.length - 1));
  const left = bytes.length - Buffer.byteLength(head) - Buffer.byteLength(tail);
  const where = target.length > 200 ? `${target.slice(0, 200)}…` : target;
  return `${head}\n[${left} of ${bytes.length} bytes left out here, about lines ${from} to ${to} of this result. Ask for a narrower part of ${where} to read them.]\n${tail}`;
}

/** Ends at the last line end, or before a character that the cut went through. */
function cutHead(text: string): string {
  const end = text.lastIndexOf('\n');
  return end > text.length / 2 ? text.slice(0, end) : text.replace(/\uFFFD+$/, '');
}

function cutTail(text: string): string {
  const start = text.indexOf('\n');
  return start >= 0 && start < text.length / 2 ? text.slice(start + 1) : text.replace(/^\uFFFD+/, '');
}

const countLines = (text: string): number => text.split('\n').length;
