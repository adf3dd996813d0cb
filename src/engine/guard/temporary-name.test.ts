import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createTemporaryName, isLeftover, isTemporaryName } from './temporary-name.ts';

describe('the name of a temporary file', () => {
  it('is recognised, differs each time, and is no leftover while its process runs', () => {
    const [one, two] = [createTemporaryName(), createTemporaryName()];
    expect([one === two, isTemporaryName(one), isLeftover(one)]).toEqual([false, true, false]);
  });

  it('is a leftover when its process has ended, or was an earlier one of the same number', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const own = createTemporaryName();
    const ofEnded = own.replace(`-${process.pid}-`, `-${pid}-`);
    const ofEarlier = own.replace(/-[0-9a-f]{8}(-[0-9a-f]{8}\.tmp)$/, '-00000000$1');
    expect([ofEnded, ofEarlier].map(isLeftover)).toEqual([true, true]);
  });

  it('says nothing of another machine, and other files are left alone', () => {
    const ofOther = createTemporaryName().replace(/^\.io-studio-[0-9a-f]{8}/, '.io-studio-00000000');
    expect([ofOther, '.io-studio-notes.tmp', 'a.tmp'].map(isLeftover)).toEqual([false, false, false]);
  });
});
