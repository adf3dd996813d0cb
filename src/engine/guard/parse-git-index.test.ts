import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GitRepository, openGitRepository } from '../../../test/support/git-repository.ts';
import { parseGitIndex } from './parse-git-index.ts';

const files = Object.fromEntries(
  ['b', 'a b', 'a/b', 'a/b.c/d', 'a/ä', 'z'.repeat(200), 'x'.repeat(7), 'x'.repeat(8), 'new\nline'].map((path) => [
    path,
    '',
  ]),
);

function listFiles(repository: GitRepository): string[] {
  return repository.git('ls-files', '-z').split('\0').filter(Boolean);
}

function parse(repository: GitRepository, hashBytes: 20 | 32 = 20) {
  return parseGitIndex(repository.read('.git/index'), hashBytes);
}

describe('the index of git', () => {
  it.each([2, 3, 4])('holds in version %i what git itself lists', async (version) => {
    await using repository = await openGitRepository({ files });
    if (version === 3) {
      repository.write('to come', 'x');
      repository.git('add', '--intent-to-add', 'to come');
    } else repository.git('update-index', `--index-version=${version}`);
    repository.git('rm', '--quiet', '--cached', 'b');
    expect(repository.read('.git/index').readUInt32BE(4)).toBe(version);
    expect(parse(repository)).toEqual({ kind: 'paths', paths: listFiles(repository) });
  });

  it('holds what git lists, whatever the names and the extensions', async () => {
    await using repository = await openGitRepository();
    const name = fc.stringMatching(/^[a-cäß\n "*]{1,9}$/);
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 40 }), fc.constantFrom(2, 4), (paths, version) => {
        repository.git('read-tree', '--empty');
        repository.git('update-index', `--index-version=${version}`, '--untracked-cache', '--force-untracked-cache');
        const blob = repository.git('hash-object', '-w', 'a.txt').trim();
        for (const each of paths)
          repository.git('update-index', '--add', '--replace', '--cacheinfo', `100644,${blob},${each}`);
        expect(parse(repository)).toEqual({ kind: 'paths', paths: listFiles(repository) });
      }),
      { numRuns: 6 },
    );
  });

  it('is read with the longer hashes of another format', async () => {
    await using repository = await openGitRepository();
    repository.git('init', '--quiet', '--object-format=sha256', 'other');
    repository.write('other/a/b', 'x');
    repository.git('-C', 'other', 'add', '.');
    expect(parseGitIndex(repository.read('other/.git/index'), 32)).toEqual({ kind: 'paths', paths: ['a/b'] });
    expect(parseGitIndex(repository.read('other/.git/index'), 20).kind).toBe('unknown');
  });

  it('is not taken for whole where it is only a part', async () => {
    await using repository = await openGitRepository({ files: { 'd/a': '', 'e/a': '' } });
    repository.git('update-index', '--split-index');
    const split = parse(repository);
    repository.git('update-index', '--no-split-index');
    repository.git('sparse-checkout', 'set', '--sparse-index', 'd');
    expect([split, parse(repository)]).toEqual([
      { kind: 'unknown', reason: 'its index shares files with another one' },
      { kind: 'unknown', reason: 'its index names whole directories instead of the files in them' },
    ]);
  });

  it('is not known where it is damaged, and never makes the reader throw', async () => {
    await using repository = await openGitRepository({ files });
    for (const version of [2, 4]) {
      repository.git('update-index', `--index-version=${version}`);
      const bytes = repository.read('.git/index');
      const whole = parse(repository);
      fc.assert(
        fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
          const cut = parseGitIndex(bytes.subarray(0, at), 20);
          if (cut.kind === 'paths') expect(cut).toEqual(whole);
          parseGitIndex(
            bytes.map((byte, index) => (index === at ? value : byte)),
            20,
          );
        }),
      );
    }
    expect(parseGitIndex(new Uint8Array(0), 20)).toEqual({ kind: 'unknown', reason: 'it is no index of git' });
  });
});
