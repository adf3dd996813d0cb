import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createTemporaryHome } from '../../../test/journal/journal-samples.ts';
import { isEngineError } from '../../shared/engine-error.ts';
import { applicationId } from './migrations.ts';
import { openStore } from './open-store.ts';

const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'opened';
  } catch (error) {
    return isEngineError(error) ? error.code : String(error);
  }
};

describe('a new store', () => {
  it('is private to its owner, syncs every commit and can give pages back', () => {
    using home = createTemporaryHome();
    const file = join(home.path, 'journal.db');
    const database = openStore(file);
    const read = (name: string) => database.pragma(name, { simple: true });
    const settings = ['journal_mode', 'synchronous', 'foreign_keys', 'auto_vacuum', 'application_id'].map(read);
    const modes = [home.path, file, `${file}-wal`, `${file}-shm`].map((path) => statSync(path).mode & 0o777);
    database.close();
    expect(settings).toEqual(['wal', 2, 1, 2, applicationId]);
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
    expect(readdirSync(home.path)).toEqual(['journal.db']);
  });
});

describe('a file that is not a journal of this version', () => {
  const asOther = (change: string) => (file: string) => {
    openStore(file).close();
    const database = new SqliteDatabase(file);
    database.exec(change);
    database.close();
  };
  it.each<[code: string, what: string, make: (file: string) => void]>([
    ['store-damaged', 'text', (file) => writeFileSync(file, 'not a database, only some text. '.repeat(100))],
    ['store-damaged', 'an empty file', (file) => writeFileSync(file, '')],
    [
      'store-damaged',
      'a truncated journal',
      (file) => {
        openStore(file).close();
        truncateSync(file, statSync(file).size / 2);
      },
    ],
    [
      'store-damaged',
      'a log without its database',
      (file) => {
        openStore(file).close();
        rmSync(file);
        writeFileSync(`${file}-wal`, 'x');
      },
    ],
    ['store-foreign', 'the database of another program', asOther('pragma application_id = 7')],
    ['store-newer', 'a journal of a later format', asOther('pragma user_version = 99')],
    [
      'store-damaged',
      'a journal without its tables',
      asOther('pragma foreign_keys = off; drop table act; alter table event rename to gone'),
    ],
    ['store-unwritable', 'a directory', (file) => mkdirSync(file)],
  ])('is refused as %s: %s', (code, _what, make) => {
    using home = createTemporaryHome();
    const file = join(home.path, 'journal.db');
    mkdirSync(home.path);
    make(file);
    expect(codeOf(() => openStore(file))).toBe(code);
  });

  it('is left as it was, and the message names it', () => {
    using home = createTemporaryHome();
    const file = join(home.path, 'journal.db');
    mkdirSync(home.path);
    writeFileSync(file, 'precious');
    expect(() => openStore(file)).toThrow(file);
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  it('cannot be made where the home is a file', () => {
    using home = createTemporaryHome();
    writeFileSync(home.path, '');
    expect(codeOf(() => openStore(join(home.path, 'journal.db')))).toBe('store-unwritable');
  });
});
