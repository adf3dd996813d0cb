import { describe, expect, it } from 'vitest';
import { findGitPathspecs } from './find-git-pathspecs.ts';
import { toLiteralWord, toOpenWord, type Word } from './word.ts';

const find = (line: string) => {
  const [command = '', ...words] = line.split(' ');
  return findGitPathspecs(command, words.map(toWord));
};

/** `$x` stands for a word that nobody knows, `d/*` for a pattern of the shell. */
function toWord(text: string): Word {
  if (text.startsWith('$')) return toOpenWord(text, 'is not known');
  const [, head, glob] = /^(.*)\/(.*\*.*)$/.exec(text) ?? [];
  return head !== undefined && glob !== undefined
    ? { ...toOpenWord(text, 'is a pattern'), head, glob }
    : toLiteralWord(text);
}

describe('the pathspecs of a command of git', () => {
  it.each<[string, readonly string[]]>([
    ['add a b', ['a', 'b']],
    ['add -v -- a', ['a']],
    ['add --chmod +x a', ['a']],
    ['add src/*', ['src']],
    ['restore -s HEAD --worktree a', ['a']],
    ['restore -sHEAD a', ['a']],
    ['commit -m one a', ['a']],
    ['commit -qm one a', ['a']],
    ['commit -a --author b -C c', []],
    ['stash push -m one -- a', ['a']],
    ['rm -r --cached a', ['a']],
    ['diff HEAD --cached -- a b', ['a', 'b']],
    ['diff --word-diff=color -- a', ['a']],
    ['log -p -3 -- a', ['a']],
    ['grep -l x -- a', ['a']],
    ['grep -e x -- a', ['a']],
  ])('are those that nothing else can be meant by: %s', (line, expected) => {
    expect(find(line)).toEqual(expected);
  });

  it.each([
    'add -A',
    'add $x',
    'add a $x',
    'add ./*',
    'add --pathspec-from-file a',
    'add --pathspec-fr=a',
    'restore -p',
    'restore -ps HEAD',
    'diff a',
    'diff $x -- a',
    'diff -S -- a',
    'log -p --decorate-refs -- a',
    'grep x a',
    'grep -- a',
    'grep -m -- a',
    'grep -m 3 -- a',
    'checkout a',
    'stash save a',
    'stash a',
    'archive HEAD a',
    'show HEAD:a HEAD',
    'show HEAD@{1:2}',
    'cat-file blob a',
    'merge a',
    'commit -v',
    'commit --am',
  ])('are none, and everything is meant, where they may be something else: %s', (line) => {
    expect(find(line)).toEqual([]);
  });

  it.each(['add', 'branch', 'log -3', 'diff --stat', 'show HEAD:a', 'commit -m a', 'worktree list', 'fetch'])(
    'do not matter where no content does: %s',
    (line) => {
      expect(find(line)).toBeNull();
    },
  );
});
