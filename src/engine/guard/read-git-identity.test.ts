import { describe, expect, it } from 'vitest';
import { createTemporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { readGitIdentity } from './read-git-identity.ts';

function read(files: Readonly<Record<string, string>>): readonly (string | undefined)[] | null {
  using home = createTemporaryDirectory();
  for (const [path, content] of Object.entries(files)) home.write(path, content);
  const { GIT_AUTHOR_NAME, GIT_COMMITTER_EMAIL } = readGitIdentity(home.path);
  return GIT_AUTHOR_NAME === undefined ? null : [GIT_AUTHOR_NAME, GIT_COMMITTER_EMAIL];
}

describe('readGitIdentity', () => {
  it.each([
    ['[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n', ['Ada Lovelace', 'ada@example.org']],
    ['[core]\n\tname = no\n[User]\nNAME="Ada # 1" ; she\nemail=a@b # where\n', ['Ada # 1', 'a@b']],
    ['[user] name = "A \\"da\\""\n email = a@b\n', ['A "da"', 'a@b']],
    ['[user "work"]\n\tname = no\n\temail = no\n', null],
    ['[user]\n\tname = Ada\n', null],
    ['[include]\n\tpath = elsewhere\n', null],
  ])('finds the name and address in %j', (text, expected) => {
    expect(read({ '.gitconfig': text })).toEqual(expected);
  });

  it('goes by the later of two files, and by none where there is none', () => {
    const files = {
      '.config/git/config': '[user]\nname = Other\nemail = other@b\n',
      '.gitconfig': '[user]\nname = Ada\n',
    };
    expect([read(files), read({})]).toEqual([['Ada', 'other@b'], null]);
  });
});
