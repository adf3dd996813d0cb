import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openGitRepository } from '../../../test/support/git-repository.ts';
import { matchPathspecs } from './match-pathspecs.ts';

const paths = ['.env', 'a.ts', 'd/.env', 'd/a.ts', 'd/e/a.ts', 'dd'];
const match = (pathspecs: readonly string[], start = '/w') =>
  paths.filter(matchPathspecs(pathspecs, { top: '/w', start }));

describe('pathspecs', () => {
  it.each<[readonly string[], readonly string[]]>([
    [[], paths],
    [['.'], paths],
    [['d'], ['d/.env', 'd/a.ts', 'd/e/a.ts']],
    [['d/'], ['d/.env', 'd/a.ts', 'd/e/a.ts']],
    [['./d/../a.ts'], ['a.ts']],
    [['/w/d/e'], ['d/e/a.ts']],
    [
      [':(top)d/e', ':/a.ts'],
      ['a.ts', 'd/e/a.ts'],
    ],
    [[':(literal)a.ts'], ['a.ts']],
    [['d/*.ts'], ['d/.env', 'd/a.ts', 'd/e/a.ts']],
    [[':(glob)d/e/**'], ['d/e/a.ts']],
    [[':(icase)D'], paths],
    [[':(attr:x)d'], paths],
    [['/elsewhere'], paths],
    [['../up'], paths],
    [[''], paths],
    [[':'], paths],
    [[':!.env'], ['a.ts', 'd/.env', 'd/a.ts', 'd/e/a.ts', 'dd']],
    [
      ['.', ':^.env', ':(exclude)d/.env'],
      ['a.ts', 'd/a.ts', 'd/e/a.ts', 'dd'],
    ],
    [[':!.env/'], paths],
    [[':!*.env'], paths],
    [[':(exclude,icase).ENV'], paths],
    [
      ['d', ':!d/e'],
      ['d/.env', 'd/a.ts'],
    ],
  ])('%j mean %j', (pathspecs, expected) => {
    expect(match(pathspecs)).toEqual(expected);
  });

  it('begin where git was started', () => {
    expect([match(['.env'], '/w/d'), match([':!.env'], '/w/d'), match([':/.env'], '/w/d')]).toEqual([
      ['d/.env'],
      ['.env', 'a.ts', 'd/a.ts', 'd/e/a.ts', 'dd'],
      ['.env'],
    ]);
  });

  it('never mean less than they do for git', async () => {
    await using repository = await openGitRepository({ files: Object.fromEntries(paths.map((path) => [path, ''])) });
    const magic = fc.constantFrom(
      '',
      '',
      ':!',
      ':^',
      ':/',
      ':/!',
      ':(glob)',
      ':(exclude)',
      ':(icase)',
      ':(top,exclude)',
      ':!:',
      '::',
    );
    const path = fc.constantFrom(
      '.',
      '..',
      '.env',
      'd',
      'd/',
      './d/e',
      '*.ts',
      'd/*',
      'D',
      'd/?env',
      '.env/',
      '[.]env',
      '\\.env',
      'd/../.env',
    );
    const spec = fc.tuple(magic, path).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(spec, { maxLength: 3 }), fc.constantFrom('.', 'd'), (pathspecs, start) => {
        const listed = listByGit(repository.git, pathspecs, start);
        const isMeant = matchPathspecs(pathspecs, { top: '/w', start: start === '.' ? '/w' : `/w/${start}` });
        expect(listed.filter((each) => !isMeant(each))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

/** Without pathspecs `ls-files` lists only what is below; nothing where git refuses them. */
function listByGit(
  git: (...words: string[]) => string,
  pathspecs: readonly string[],
  start: string,
): readonly string[] {
  try {
    const specs = pathspecs.length === 0 ? [':/'] : pathspecs;
    return git('-C', start, 'ls-files', '-z', '--full-name', '--', ...specs)
      .split('\0')
      .filter(Boolean);
  } catch {
    return [];
  }
}
