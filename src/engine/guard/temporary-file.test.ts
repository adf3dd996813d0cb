import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { openHeldDirectory } from '../sandbox/held-directory.ts';
import { withTemporaryFile } from './temporary-file.ts';

describe('withTemporaryFile', () => {
  it('lets nobody read the new content of a private file while it is written', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('private', 'old');
    chmodSync(join(workspace.path, 'private'), 0o600);
    const like = statSync(join(workspace.path, 'private'), { bigint: true });
    const directory = openHeldDirectory(workspace.path);
    const modes = new Set<number>();
    const look = () => {
      const name = readdirSync(workspace.path).find((each) => each.endsWith('.tmp'));
      if (name !== undefined) modes.add(statSync(join(workspace.path, name)).mode & 0o777);
    };
    let isWritten = false;
    const bytes = Buffer.alloc(16 * 1024 * 1024);
    const written = withTemporaryFile({ directory, bytes, like }, () => (isWritten = true));
    while (!isWritten) {
      look();
      await setImmediate();
    }
    await written;
    directory.close();
    expect([...modes]).toEqual([0o600]);
  });
});
