// Whether a directory takes `.ENV` and `.env` for one file. A rule written in one spelling must then hold for both. It is
// asked of every directory on the way: a volume that folds may be mounted below one that does not, and on some volumes each
// directory has its own setting.
import { type BigIntStats, lstatSync, opendirSync } from 'node:fs';
import { type HeldDirectory, openHeldDirectory } from '../sandbox/held-directory.ts';

/** What is known before looking: the usual volumes of these systems fold, and those that do not cannot be told apart. */
export const alwaysIgnoresLetterCase = process.platform === 'darwin' || process.platform === 'win32';

/** Asked of the entry itself when it is there, which costs one look-up; of its neighbours where it is not, or has no letter. */
export function ignoresLetterCase(directory: HeldDirectory, name: string, stats: BigIntStats | undefined): boolean {
  if (isSameInEveryCase(name)) return false;
  const other = swapLetterCase(name);
  if (stats === undefined || other === name) return entriesIgnoreLetterCase(directory);
  return isSame(stats, directory.at(other));
}

/** The same of the directory at a path; one that cannot be held is given the stricter answer too. */
export function entriesAtIgnoreLetterCase(path: string): boolean {
  try {
    const directory = openHeldDirectory(path);
    try {
      return entriesIgnoreLetterCase(directory);
    } finally {
      directory.close();
    }
  } catch {
    return true;
  }
}

/** Where no entry tells, the stricter answer is given. */
export function entriesIgnoreLetterCase(directory: HeldDirectory): boolean {
  const stats = lstatSync(directory.at('.'), { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return true;
  const { dev, ino, ctimeNs, ctimeMs } = stats;
  const key = `${dev}:${ino}:${ctimeNs}`;
  const known = knownAnswers.get(key);
  if (known !== undefined) return known;
  const answer = askEntries(directory);
  // Within one tick of the system's clock the directory could become another one without its time telling.
  if (Date.now() - Number(ctimeMs) > clockTickMs) keepAnswer(key, answer);
  return answer;
}

/** By directory and the time of its last change: how it takes letter case can only be changed while it is empty. */
const knownAnswers = new Map<string, boolean>();
const maxKnown = 1024;
const clockTickMs = 10;

function keepAnswer(key: string, answer: boolean): void {
  const [oldest] = knownAnswers.keys();
  if (knownAnswers.size >= maxKnown && oldest !== undefined) knownAnswers.delete(oldest);
  knownAnswers.set(key, answer);
}

function askEntries(directory: HeldDirectory): boolean {
  const name = findLetteredName(directory);
  if (name === undefined) return true;
  const stats = lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });
  return stats === undefined || isSame(stats, directory.at(swapLetterCase(name)));
}

/** A name of other printable characters is written in one way only. */
function isSameInEveryCase(name: string): boolean {
  return /^[ -@[-`{-~]*$/.test(name);
}

/** Of the letters that every volume folds alike. */
function swapLetterCase(name: string): string {
  return name.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
}

function isSame({ dev, ino }: BigIntStats, path: string): boolean {
  const other = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return other !== undefined && other.dev === dev && other.ino === ino;
}

const maxNames = 64;

/** Undefined also where the directory may be entered and not listed. */
function findLetteredName(directory: HeldDirectory): string | undefined {
  try {
    using entries = opendirSync(directory.at('.'), { bufferSize: 8 });
    for (let count = 0; count < maxNames; count++) {
      const entry = entries.readSync();
      if (entry === null || swapLetterCase(entry.name) !== entry.name) return entry?.name;
    }
  } catch {
    // Nothing is known of it.
  }
  return undefined;
}
