import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { createTemporaryHome } from '../../../test/journal/journal-samples.ts';
import { isEngineError } from '../../shared/engine-error.ts';
import { openStore } from './open-store.ts';
import { isSamePlace, openStorePlace } from './store-place.ts';

const judge = (file: string): string => {
  const database = openStore(file);
  try {
    openStorePlace(database, file).assertHere();
    return 'here';
  } catch (error) {
    return isEngineError(error) ? error.code : String(error);
  } finally {
    database.close();
  }
};

describe('a store', () => {
  it('that was copied is told from its original until it is adopted; the original stays what it is', () => {
    using home = createTemporaryHome();
    const [file, copy] = [join(home.path, 'journal.db'), join(home.path, 'copy.db')];
    expect(judge(file)).toBe('here');
    copyFileSync(file, copy);
    expect([judge(copy), judge(file)]).toEqual(['store-copied', 'here']);
    const database = openStore(copy);
    openStorePlace(database, copy).adopt();
    database.close();
    expect([judge(copy), judge(file)]).toEqual(['here', 'here']);
  });

  it('that was moved on its disk is no copy', () => {
    using home = createTemporaryHome();
    const [file, moved] = [join(home.path, 'journal.db'), join(dirname(home.path), 'moved', 'journal.db')];
    expect(judge(file)).toBe('here');
    mkdirSync(dirname(moved));
    renameSync(file, moved);
    expect(judge(moved)).toBe('here');
  });

  it('of an earlier version, which does not say where it lives, lives where it is first opened', () => {
    using home = createTemporaryHome();
    const file = join(home.path, 'journal.db');
    openStore(file).close();
    const database = new SqliteDatabase(file);
    expect(database.prepare('select count(*) from store_place').pluck().get()).toBe(0);
    database.close();
    expect(judge(file)).toBe('here');
  });
});

describe('the place of a store', () => {
  const here = { machine: 'm', boot: 'b', device: '1', inode: '2' };
  it.each([
    ['the same', here, true],
    ['another file', { ...here, inode: '3' }, false],
    ['another disk', { ...here, device: '9' }, false],
    ['another disk number after a restart of the machine', { ...here, boot: 'c', device: '9' }, true],
    ['another name of the machine on the same kernel and disk, as in a container', { ...here, machine: 'n' }, true],
    ['another machine', { machine: 'n', boot: 'c', device: '1', inode: '2' }, false],
    ['a system that does not tell its boot', { ...here, boot: '' }, true],
  ])('is compared with %s', (_what, now, isSame) => {
    expect(isSamePlace(here, now)).toBe(isSame);
  });
});
