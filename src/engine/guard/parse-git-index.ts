// The paths in git's index, from its bytes alone: versions 2 to 4. An index that leaves paths out, because it shares them with
// another file or names whole directories, is told apart from one that holds them all.

export type GitIndex =
  /** In the order of the index; a path in conflict stands there for each of its sides. */
  | { readonly kind: 'paths'; readonly paths: readonly string[] }
  /** `reason` is the end of a sentence. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** More takes longer to judge than anybody waits for a verdict. */
export const maxIndexEntries = 200_000;
const maxPathBytes = 4096;
const maxTextBytes = 32 * 1024 * 1024;

const headerBytes = 12;
/** Times, device, inode, mode, owner and size; the hash and the flags come after them. */
const statBytes = 40;
const modeOffset = 24;
const directoryMode = 0o040000;
const extendedFlag = 0x4000;

/** `hashBytes`: how long the names of objects are in this repository. */
export function parseGitIndex(bytes: Uint8Array, hashBytes: 20 | 32): GitIndex {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = data.length - hashBytes;
  if (end < headerBytes || data.toString('latin1', 0, 4) !== 'DIRC') return unknown('it is no index of git');
  const [version, count] = [data.readUInt32BE(4), data.readUInt32BE(8)];
  if (version < 2 || version > 4) return unknown(`it is an index of version ${version}`);
  if (count > maxIndexEntries) return unknown(`git keeps more than ${maxIndexEntries} files`);
  const entries = readEntries({ data, end, version, hashBytes }, count);
  if (entries.kind === 'unknown') return entries;
  return findIncompleteness(data, entries.next, end) ?? { kind: 'paths', paths: entries.paths };
}

interface Index {
  readonly data: Buffer;
  /** Where its own hash begins. */
  readonly end: number;
  readonly version: number;
  readonly hashBytes: number;
}

type Entries =
  | { readonly kind: 'entries'; readonly paths: readonly string[]; readonly next: number }
  | Extract<GitIndex, { kind: 'unknown' }>;

function readEntries(index: Index, count: number): Entries {
  const paths: string[] = [];
  let previous: Buffer = Buffer.alloc(0);
  let next = headerBytes;
  let textBytes = 0;
  for (let entry = 0; entry < count; entry++) {
    const isDirectory = next + statBytes <= index.end && index.data.readUInt32BE(next + modeOffset) === directoryMode;
    if (isDirectory) return unknown('its index names whole directories instead of the files in them');
    const read = readEntry(index, next, previous);
    if (read === null) return unknown('its index is damaged');
    textBytes += read.path.length;
    if (read.path.length > maxPathBytes || textBytes > maxTextBytes) return unknown('its index holds too much text');
    paths.push(read.path.toString('utf8'));
    previous = read.path;
    next = read.next;
  }
  return { kind: 'entries', paths, next };
}

/** Null where the bytes end before the entry does. */
function readEntry(index: Index, start: number, previous: Buffer): { path: Buffer; next: number } | null {
  const { data, end, version, hashBytes } = index;
  const flagsAt = start + statBytes + hashBytes;
  if (flagsAt + 4 > end) return null;
  const hasMoreFlags = version >= 3 && (data.readUInt16BE(flagsAt) & extendedFlag) !== 0;
  const nameAt = flagsAt + (hasMoreFlags ? 4 : 2);
  if (version === 4) return readShortened(index, nameAt, previous);
  const nameEnd = data.indexOf(0, nameAt);
  // Between one and eight zeros end the name, so that the next entry begins at a multiple of eight.
  const next = start + (Math.floor((nameEnd - start) / 8) + 1) * 8;
  return nameEnd < nameAt || next > end ? null : { path: data.subarray(nameAt, nameEnd), next };
}

/** A name that only says how much of the one before it goes, and what comes instead. */
function readShortened({ data, end }: Index, start: number, previous: Buffer): { path: Buffer; next: number } | null {
  let at = start;
  let byte = data[at++] ?? 0;
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0 && at < end) {
    byte = data[at++] ?? 0;
    dropped = (dropped + 1) * 128 + (byte & 0x7f);
  }
  const nameEnd = data.indexOf(0, at);
  if (dropped > previous.length || nameEnd === -1 || nameEnd >= end) return null;
  const path = Buffer.concat([previous.subarray(0, previous.length - dropped), data.subarray(at, nameEnd)]);
  return { path, next: nameEnd + 1 };
}

/** Why the entries are not everything; undefined where they are. What nobody needs to understand begins with a capital. */
function findIncompleteness(
  data: Buffer,
  start: number,
  end: number,
): Extract<GitIndex, { kind: 'unknown' }> | undefined {
  for (let at = start; at < end; ) {
    if (at + 8 > end) return unknown('its index is damaged');
    const name = data.toString('latin1', at, at + 4);
    if (!/^[A-Z]/.test(name)) return unknown(incomplete[name] ?? 'its index is of a kind that is not known');
    at += 8 + data.readUInt32BE(at + 4);
    if (at > end) return unknown('its index is damaged');
  }
  return undefined;
}

const incomplete: Readonly<Record<string, string>> = {
  link: 'its index shares files with another one',
  sdir: 'its index names whole directories instead of the files in them',
};

function unknown(reason: string): Extract<GitIndex, { kind: 'unknown' }> {
  return { kind: 'unknown', reason };
}
