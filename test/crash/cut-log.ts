// A write-ahead log as a machine leaves it that loses power while the last transaction is on its way to the disk: some of it is
// there, or its place is and what it says is not.

const headerBytes = 32;
const frameHeaderBytes = 24;

export interface CutLog {
  /** Where it was cut. */
  readonly where: string;
  readonly log: Uint8Array;
}

/** The log cut at each kind of place inside its last transaction; none where there is none. */
export function cutLog(log: Uint8Array): CutLog[] {
  const found = findLastTransaction(log);
  if (found === null) return [];
  const { begin, last, end, pageBytes } = found;
  const middle = begin + frameHeaderBytes + pageBytes / 2;
  return [
    { where: 'where it begins', log: log.slice(0, begin) },
    { where: 'in the head of its first page', log: log.slice(0, begin + frameHeaderBytes / 2) },
    { where: 'in its first page', log: log.slice(0, middle) },
    { where: 'before its last page', log: log.slice(0, last) },
    { where: 'one byte before its end', log: log.slice(0, end - 1) },
    { where: 'in its first page, with nothing but zeros from there on', log: blank(log, middle, end) },
    { where: 'in its last page, with nothing but zeros from there on', log: blank(log, last + frameHeaderBytes, end) },
  ];
}

function blank(log: Uint8Array, from: number, end: number): Uint8Array {
  return log.slice(0, end).fill(0, from);
}

/** Frames of an earlier round of the log, which may stand behind its own, have another salt. */
function findLastTransaction(log: Uint8Array) {
  if (log.length < headerBytes) return null;
  const view = new DataView(log.buffer, log.byteOffset, log.length);
  const pageBytes = view.getUint32(8);
  const salt = view.getBigUint64(16);
  const frameBytes = frameHeaderBytes + pageBytes;
  const commits: number[] = [];
  for (let at = headerBytes; at + frameBytes <= log.length && view.getBigUint64(at + 8) === salt; at += frameBytes) {
    if (view.getUint32(at + 4) !== 0) commits.push(at);
  }
  const [last, before] = commits.toReversed();
  if (last === undefined) return null;
  const begin = before === undefined ? headerBytes : before + frameBytes;
  return { begin, last, end: last + frameBytes, pageBytes };
}
