import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noHistory, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import type { GuardedFiles } from '../guard/guard.ts';
import { listDir } from './list-dir.ts';
import type { ToolContext } from './tool.ts';

describe('list_dir', () => {
  it('gives one line an entry, with what would break a line made visible', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a\nb', 'x');
    workspace.write('right\u202eleft', '');
    mkdirSync(join(workspace.path, 'dir'));
    symlinkSync('dir', join(workspace.path, 'link'));
    expect(await workspace.call('list_dir', { path: '.' })).toEqual({
      status: 'ok',
      text: '.: 4 listed\na\\u{a}b (1 byte)\ndir/\nlink@\nright\\u{202e}left (0 bytes)',
    });
  });

  it('says that there is nothing, and does not tell of what may not be read', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('dir/.env', '');
    expect(await workspace.call('list_dir', { path: 'dir' })).toEqual({ status: 'ok', text: 'dir: nothing in it' });
  });

  it('says how to go on when there are more', async () => {
    await using workspace = await openGuardedWorkspace();
    const entries = [{ name: 'a', kind: 'directory', bytes: null }] as const;
    const files: GuardedFiles = {
      ...workspace.files,
      list: async () => ({ kind: 'listed', entries: [...entries], more: true }),
    };
    const context: ToolContext = {
      files,
      commands: workspace.guard.commands(workspace.stance),
      fetches: workspace.guard.fetches(workspace.stance, 'allow'),
      processes: workspace.processes,
      permitted: 'allow',
      unasked: 'allow',
      history: noHistory,
      signal: new AbortController().signal,
    };
    const plan = await listDir.prepare({ path: 'dir' }, context);
    expect(plan.kind === 'look' && (await plan.run()).text).toBe(
      'dir: 1 listed, and there are more: use find with a glob to narrow\na/',
    );
  });
});
