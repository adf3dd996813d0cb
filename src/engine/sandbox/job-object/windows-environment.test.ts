import { describe, expect, it } from 'vitest';
import { toWindowsEnvironment } from './windows-environment.ts';

const places = { systemRoot: 'C:\\Windows', programs: ['C:\\node'], scratch: 'C:\\scratch' };

describe('the environment of a command on Windows', () => {
  it('is what is given and what is fixed, and nothing of this process', () => {
    expect(toWindowsEnvironment({ GIVEN: 'yes' }, places)).toEqual({
      GIVEN: 'yes',
      PATH: 'C:\\node;C:\\Windows\\System32;C:\\Windows;C:\\Windows\\System32\\WindowsPowerShell\\v1.0',
      PATHEXT: '.COM;.EXE;.BAT;.CMD',
      SystemRoot: 'C:\\Windows',
      windir: 'C:\\Windows',
      SystemDrive: 'C:',
      ComSpec: 'C:\\Windows\\System32\\cmd.exe',
      HOME: 'C:\\scratch',
      USERPROFILE: 'C:\\scratch',
      APPDATA: 'C:\\scratch',
      LOCALAPPDATA: 'C:\\scratch',
      TEMP: 'C:\\scratch',
      TMP: 'C:\\scratch',
      TMPDIR: 'C:\\scratch',
      CI: '1',
      NO_COLOR: '1',
    });
  });

  it('keeps what is fixed against every spelling of its name, and one of two spellings', () => {
    const environment = toWindowsEnvironment(
      { Path: 'D:\\evil', comspec: 'D:\\evil.exe', name: '1', NAME: '2' },
      places,
    );
    const names = Object.keys(environment).map((name) => name.toUpperCase());
    expect([new Set(names).size, environment.NAME, Object.values(environment).join().includes('evil')]).toEqual([
      names.length,
      '2',
      false,
    ]);
  });
});
