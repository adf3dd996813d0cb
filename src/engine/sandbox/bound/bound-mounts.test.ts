import { describe, expect, it } from 'vitest';
import { type Mask, toBoundBinds } from './bound-mounts.ts';

function bind(access: 'read' | 'write', ...masks: Mask[]): string[] {
  return toBoundBinds({ workspace: '/w', access, masks, stage: '/s' }).map(
    (each) => `${each.access} ${each.target} <- ${each.source}`,
  );
}

describe('the mounts of a bound workspace', () => {
  it('hide a path by something empty, and pin every directory on the way to it', () => {
    const masks = [
      { path: 'a/b/.env', kind: 'file', access: 'none' },
      { path: 'keys', kind: 'directory', access: 'none' },
    ] as const;
    expect(bind('write', ...masks)).toEqual([
      'write /w <- /s/bound',
      'write /w/a <- /s/bound/a',
      'write /w/a/b <- /s/bound/a/b',
      'read /w/keys <- /s/hidden-directory',
      'read /w/a/b/.env <- /s/hidden-file',
    ]);
  });

  it('show what is shut or open in its own place, and pin as that which lies around', () => {
    const masks = [
      { path: 'src', kind: 'directory', access: 'write' },
      { path: 'src/a/b/package.json', kind: 'file', access: 'read' },
      { path: 'lib/c.txt', kind: 'file', access: 'write' },
    ] as const;
    expect(bind('read', ...masks)).toEqual([
      'read /w <- /s/bound',
      'write /w/src <- /s/bound/src',
      'read /w/lib <- /s/bound/lib',
      'write /w/src/a <- /s/bound/src/a',
      'write /w/src/a/b <- /s/bound/src/a/b',
      'write /w/lib/c.txt <- /s/bound/lib/c.txt',
      'read /w/src/a/b/package.json <- /s/bound/src/a/b/package.json',
    ]);
  });
});
