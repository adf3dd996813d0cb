// What a change came to, in lines: what people and models ask about an edit. Texts are compared where they stand; lists of
// the lines of a large file would take many times its size.
import { countLines } from './line-end.ts';
import { count } from './tool-result.ts';

/** `2 lines added, 1 line removed`, counted between the first and the last line that differ. A changed end is a changed line. */
export function describeChange(before: string, after: string): string {
  const head = findCommonHead(before, after);
  const [left, right] = [before.slice(head), after.slice(head)];
  const tail = findCommonTail(left, right);
  const [removed, added] = [left, right].map((text) => countLines(text.slice(0, text.length - tail)));
  return `${count(added ?? 0, 'line')} added, ${count(removed ?? 0, 'line')} removed`;
}

/** The characters of the lines that both texts begin with. */
function findCommonHead(left: string, right: string): number {
  if (left === right) return left.length;
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head++;
  return left.slice(0, head).lastIndexOf('\n') + 1;
}

/** The characters of the lines that both texts end with. */
function findCommonTail(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  let tail = 0;
  while (tail < shorter && left.at(-1 - tail) === right.at(-1 - tail)) tail++;
  if ([left, right].every((text) => tail === text.length || text.at(-1 - tail) === '\n')) return tail;
  const end = left.indexOf('\n', left.length - tail);
  return end === -1 ? 0 : left.length - end - 1;
}
