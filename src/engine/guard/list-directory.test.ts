import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';

describe('listing a directory', () => {
  it('is sorted, says what each entry is, and leaves out what may not be read', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('b.txt', 'four');
    workspace.write('.env', 'KEY=1');
    workspace.write('server.pem', 'x');
    mkdirSync(join(workspace.path, 'a'));
    symlinkSync('b.txt', join(workspace.path, 'c'));
    symlinkSync('.env', join(workspace.path, 'to-secret'));
    expect(await workspace.files.list('.')).toEqual({
      kind: 'listed',
      entries: [
        { name: 'a', kind: 'directory', bytes: null },
        { name: 'b.txt', kind: 'file', bytes: 4 },
        { name: 'c', kind: 'link', bytes: null },
      ],
      more: false,
    });
  });

  it('shows at most 2,000 entries and says that there are more, not counting what is hidden', async () => {
    await using workspace = await openGuardedWorkspace();
    for (let number = 1000; number < 3000; number++) writeFileSync(join(workspace.path, `${number}.txt`), '');
    workspace.write('zz.key', '');
    const full = await workspace.files.list('.');
    workspace.write('zzz.txt', '');
    const over = await workspace.files.list('.');
    const counts = [full, over].map((listing) => listing.kind === 'listed' && [listing.entries.length, listing.more]);
    expect(counts).toEqual([
      [2000, false],
      [2000, true],
    ]);
  }, 30_000);

  it.each([
    ['none', '"none" does not exist'],
    ['a.txt', '"a.txt" is not a directory'],
  ])('says why %s cannot be listed', async (path, reason) => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', '');
    expect(await workspace.files.list(path)).toEqual({ kind: 'unreadable', reason });
  });
});
