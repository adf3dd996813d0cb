import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findWindowsProgram } from './find-windows-program.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'find-windows-')));
afterAll(() => rmSync(base, { recursive: true }));
const at = (...names: string[]): string => join(base, ...names);

for (const directory of ['first', 'second', 'copy']) mkdirSync(at(directory));
for (const file of [
  'first/tool.cmd',
  'second/tool.exe',
  'second/only.com',
  'copy/own.exe',
  'copy/build.bat',
  'copy/odd.x',
]) {
  writeFileSync(at(file), '');
}

const sight = { path: [at('first'), at('second')], directory: { named: at('workspace'), real: at('copy') } };
const isBatch = { kind: 'not-started', stage: 'program', reason: 'it is a batch file, which is run by: cmd.exe /d /c' };
const isMissing = { kind: 'not-started', stage: 'program', reason: 'there is no such executable program' };
const isFound = (path: string) => ({ kind: 'found', path });

describe('a program of Windows', () => {
  it.each<[string, string, object]>([
    ['with an ending of programs', 'only', isFound(at('second/only.com'))],
    ['by its whole name', 'tool.exe', isFound(at('second/tool.exe'))],
    ['in the directory of the command', './own', isFound(at('copy/own.exe'))],
    [
      'in it, written as on Windows',
      '.\\own'.replace('\\', process.platform === 'win32' ? '\\' : '/'),
      isFound(at('copy/own.exe')),
    ],
    ['where it really lies', at('workspace/own.exe'), isFound(at('copy/own.exe'))],
    ['by a path of its own', at('second/tool.exe'), isFound(at('second/tool.exe'))],
    ['of any other ending', './odd.x', isFound(at('copy/odd.x'))],
  ])('is found %s', (_title, name, found) => {
    expect(findWindowsProgram(name, sight)).toEqual(found);
  });

  it.each<[string, string, object]>([
    ['a batch file that comes first', 'tool', isBatch],
    ['a batch file', './build.bat', isBatch],
    ['a name of nothing', 'nothing', isMissing],
    ['an empty name', '', isMissing],
    ['a directory', at('first'), isMissing],
    ['a name with a path in it', 'first/tool', isMissing],
    ['a drive', 'C:tool', isMissing],
  ])('is not %s', (_title, name, found) => {
    expect(findWindowsProgram(name, sight)).toEqual(found);
  });
});
