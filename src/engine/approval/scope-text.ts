// The text of a policy file in the home, read and replaced as a whole. A file that is a link, somebody else's, kept from
// being written or not text is refused: what would come of it is not the same file with one rule more.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { syncPath } from '../journal/publish-file.ts';

export interface ScopeText {
  readonly text: string;
  /** A mark some editors put before the text; kept, and no part of it. */
  readonly mark: string;
  /** Permission bits. */
  readonly mode: number;
}

const maxBytes = 1024 * 1024;
const byteOrderMark = '\ufeff';

/** Null when there is no such file. Throws an error whose message is the end of a sentence. */
export function readScopeText(file: string): ScopeText | null {
  const descriptor = openFile(file);
  if (descriptor === null) return null;
  try {
    const stats = fstatSync(descriptor);
    assertReplaceable(stats);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(descriptor));
    const mark = text.startsWith(byteOrderMark) ? byteOrderMark : '';
    return { text: text.slice(mark.length), mark, mode: stats.mode & 0o777 };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Neither a reader nor a power cut ever meets half of it. For one caller at a time: a draft that lies there is of one that
 * was killed. `former` is what was read before; null makes a new file.
 */
export function replaceScopeText(file: string, text: string, former: Omit<ScopeText, 'text'> | null): void {
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, `${former?.mark ?? ''}${text}`, { mode: former?.mode ?? 0o600, flag: 'wx' });
    syncPath(draft);
    renameSync(draft, file);
    syncPath(dirname(file));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Does not wait for a pipe. */
function openFile(file: string): number | null {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return null;
    throw code === 'ELOOP' ? new Error('it is a link, and would be replaced by a file', { cause: error }) : error;
  }
}

function assertReplaceable(stats: Stats): void {
  if (!stats.isFile()) throw new Error('it is not a regular file');
  if (stats.size > maxBytes) throw new Error(`it has ${stats.size} bytes, more than ${maxBytes}`);
  if ((stats.mode & 0o200) === 0) throw new Error('it may only be read');
  const person = process.geteuid?.();
  if (person !== undefined && stats.uid !== person) throw new Error('it belongs to somebody else');
}
