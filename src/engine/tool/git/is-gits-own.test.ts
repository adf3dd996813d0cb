import { describe, expect, it } from 'vitest';
import type { ChangedEntry } from '../../sandbox/sandbox.ts';
import { isGitsOwn } from './is-gits-own.ts';

const file: ChangedEntry = { kind: 'file', bytes: new Uint8Array(), mode: 0o644 };
const isOwn = (path: string, after: ChangedEntry | null = file): boolean => isGitsOwn({ path, before: null, after });

describe('isGitsOwn', () => {
  it.each([
    ...['.git/index', '.git/HEAD', '.git/ORIG_HEAD', '.git/COMMIT_EDITMSG', '.git/packed-refs', '.git/MERGE_HEAD'],
    ...['.git/refs/heads/fix/login', '.git/logs/HEAD', '.git/objects/ab', `.git/objects/ab/${'c'.repeat(38)}`],
    ...['.git/objects/pack/pack-0a1b.pack', '.git/refs'],
  ])('holds for what git keeps of the history: %s', (path) => {
    expect([isOwn(path), isOwn(path, null)]).toEqual([true, true]);
  });

  it.each([
    ...[
      '.git',
      '.git/config',
      '.git/config.worktree',
      '.git/hooks/pre-commit',
      '.git/info/attributes',
      '.git/info/exclude',
    ],
    ...[
      '.git/objects/info/alternates',
      '.git/modules/sub/HEAD',
      '.git/worktrees/wt/gitdir',
      '.git/worktrees/wt/commondir',
    ],
    ...['.git/commondir', 'sub/.git/index', 'HEAD', 'index', 'src/.git/refs/heads/x', '.gitattributes', '.gitmodules'],
    ...['.git/indexes', '.git/HEAD/x', '.git/refsx'],
  ])('does not for anything else: %s', (path) => {
    expect(isOwn(path)).toBe(false);
  });

  it('never holds for a link, whatever it is called', () => {
    const link: ChangedEntry = { kind: 'link', target: '../elsewhere' };
    expect([isOwn('.git/HEAD', link), isGitsOwn({ path: '.git/HEAD', before: link, after: null })]).toEqual([
      false,
      false,
    ]);
  });
});
