import { describe, expect, it } from 'vitest';
import { createFloorBackend } from '../floor/floor-backend.ts';
import { hasOrdinaryRights, listWindowsCandidates } from './list-windows-candidates.ts';

const label = (level: string, sid: string): string =>
  `"Everyone","Well-known group","S-1-1-0","Mandatory group"\r\n"Mandatory Label\\${level}","Label","${sid}",""\r\n`;

describe('the rights of an engine on Windows', () => {
  it.each<[string, string, boolean]>([
    ['those of a person', label('Medium Mandatory Level', 'S-1-16-8192'), true],
    ['those of a person, a little more', label('Medium Plus Mandatory Level', 'S-1-16-8448'), true],
    ['fewer', label('Low Mandatory Level', 'S-1-16-4096'), true],
    ['those of an administrator', label('High Mandatory Level', 'S-1-16-12288'), false],
    ['those of the system', label('System Mandatory Level', 'S-1-16-16384'), false],
    ['not known', '', false],
    ['not known, but for a group of many digits', '"S-1-5-21-1-16-81920"', false],
  ])('are %s', (_title, groups, isOrdinary) => {
    expect(hasOrdinaryRights(groups)).toBe(isOrdinary);
  });
});

describe('the candidates of Windows', () => {
  it.skipIf(process.platform === 'win32')('run nothing where nobody can tell what rights the engine has', () => {
    const floor = { id: 'none', backend: createFloorBackend(), version: () => null } as const;
    const reasons = listWindowsCandidates(floor).map(({ id, backend }) => [
      id,
      'kind' in backend ? backend.reason : '',
    ]);
    expect(reasons).toEqual([
      ['bwrap', 'nothing on Windows encloses the files and the network of a command'],
      ['none', 'no command may run with the rights of an administrator'],
      ['none', 'no command may run with the rights of an administrator'],
    ]);
  });
});
