import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryDirectory } from '../../../../test/support/temporary-directory.ts';
import { syncTree } from './sync-tree.ts';

describe('syncTree', () => {
  it('syncs every file and every directory once, and goes through no link', async () => {
    using place = createTemporaryDirectory();
    for (let file = 0; file < 200; file++) place.write(`tree/${file % 7}/deep/${file}`, 'text');
    place.write('elsewhere/file', 'text');
    symlinkSync(join(place.path, 'elsewhere'), join(place.path, 'tree/link'));
    expect(await syncTree(join(place.path, 'tree'))).toBe(1 + 7 * 2 + 200);
  });

  it('leaves out what may not be read', async () => {
    using place = createTemporaryDirectory();
    place.write('tree/shut/file', 'text');
    const shut = join(place.path, 'tree/shut');
    chmodSync(shut, 0o000);
    // Nothing is shut to the superuser.
    const expected = process.geteuid?.() === 0 ? 3 : 1;
    expect(await syncTree(join(place.path, 'tree')).finally(() => chmodSync(shut, 0o700))).toBe(expected);
  });

  it('fails where something is gone, and leaves nothing open', async () => {
    using place = createTemporaryDirectory();
    await expect(syncTree(join(place.path, 'tree'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
