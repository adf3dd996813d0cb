import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GuardedWorkspace, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { toVersion } from '../sandbox/bound/read-manifest.ts';
import { openWorkspaceRoot } from './open-workspace-root.ts';
import { createAsideShelf } from './set-aside.ts';

function openShelf({ path, home }: GuardedWorkspace, keepsHome = true) {
  const root = openWorkspaceRoot(path, keepsHome ? home : null);
  return { shelf: createAsideShelf(root, 'p1'), [Symbol.dispose]: () => root.close() };
}

const look = ({ path }: GuardedWorkspace, file: string) => toVersion(lstatSync(join(path, file), { bigint: true }));

describe('what is put aside', () => {
  it('lies where nobody else may read it, by the path that it had', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a/.env', 'KEY=1\n');
    using opened = openShelf(workspace);
    const taken = await opened.shelf.take('a/.env', look(workspace, 'a/.env'));
    const shelf = opened.shelf.path ?? '';
    expect([taken, readFileSync(join(shelf, 'a/.env'), 'utf8'), statSync(shelf).mode & 0o77]).toEqual([
      { kind: 'gone', copy: join(shelf, 'a/.env') },
      'KEY=1\n',
      0,
    ]);
    expect(existsSync(join(workspace.path, 'a/.env'))).toBe(false);
  });

  it('is never what somebody has changed since it was judged, nor what somebody has put into a directory', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a', 'old\n');
    workspace.write('d/theirs', 'x\n');
    using opened = openShelf(workspace);
    const [file, directory] = [look(workspace, 'a'), look(workspace, 'd')];
    workspace.write('a', 'theirs\n');
    expect(await opened.shelf.take('a', file)).toMatchObject({
      kind: 'left',
      reason: expect.stringContaining('changed'),
    });
    expect(await opened.shelf.take('d', directory)).toMatchObject({ kind: 'left' });
    expect([workspace.read('a').toString(), workspace.read('d/theirs').toString()]).toEqual(['theirs\n', 'x\n']);
  });

  it('is nothing where the engine keeps no home', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a', 'x\n');
    using opened = openShelf(workspace, false);
    expect(await opened.shelf.take('a', look(workspace, 'a'))).toMatchObject({ kind: 'left' });
    expect(workspace.read('a').toString()).toBe('x\n');
  });
});
