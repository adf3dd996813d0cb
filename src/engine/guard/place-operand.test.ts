import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GuardedWorkspace, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { openWorkspaceRoot } from './open-workspace-root.ts';
import { placeOperand } from './place-operand.ts';

/** Where a path of a command lies, or why it is refused. */
function place(
  { path: workspace, home }: GuardedWorkspace,
  path: string,
  directory = '.',
  act: 'read' | 'write' = 'read',
) {
  const root = openWorkspaceRoot(workspace, home);
  const { act: placed, refusal } = placeOperand(root, { kind: 'path', act, path, directory, isDeep: false });
  root.close();
  const { target, real, outside } = placed;
  return { target, real, ...(outside ? { outside } : {}), ...(refusal === null ? {} : { refusal }) };
}

/** Where the kernel ends; null where it finds nothing. */
function toReal(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

const inside = (target: string, real = target) => ({ target, real });
const outside = (target: string, real = target) => ({ target, real, outside: true });

describe('placing a path of a command', () => {
  it('is relative to the workspace by every spelling that leads there', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('src/a.ts', '');
    symlinkSync(workspace.path, join(workspace.outside, 'alias'));
    expect([
      place(workspace, 'src/a.ts'),
      place(workspace, './/src/../src/a.ts'),
      place(workspace, 'a.ts', 'src'),
      place(workspace, join(workspace.path, 'src/a.ts')),
      place(workspace, '../workspace/src/a.ts'),
      place(workspace, join(workspace.outside, 'alias/src/a.ts')),
      place(workspace, '.'),
      place(workspace, 'new/b.ts', '.', 'write'),
    ]).toEqual([...Array(6).fill(inside('src/a.ts')), inside('.'), inside('new/b.ts')]);
  });

  it('is absolute where it lies outside, with the links on the way seen through', async () => {
    await using workspace = await openGuardedWorkspace();
    const { outside: elsewhere } = workspace;
    mkdirSync(join(elsewhere, 'real'));
    symlinkSync('real', join(elsewhere, 'link'));
    expect([
      place(workspace, '../outside/link/f'),
      place(workspace, 'f', join(elsewhere, 'link')),
      place(workspace, `${'../'.repeat(40)}etc/passwd`),
    ]).toEqual([
      outside(join(elsewhere, 'link/f'), join(elsewhere, 'real/f')),
      outside(join(elsewhere, 'link/f'), join(elsewhere, 'real/f')),
      outside('/etc/passwd'),
    ]);
  });

  it('finds what the kernel finds, by any path of links and steps back', async () => {
    await using workspace = await openGuardedWorkspace();
    const { path, outside: elsewhere } = workspace;
    for (const file of ['a/b/file', 'a/file', 'file']) workspace.write(file, '');
    writeFileSync(join(elsewhere, 'file'), '');
    symlinkSync('a/b', join(path, 'down'));
    symlinkSync('../..', join(path, 'a/b/up'));
    symlinkSync(elsewhere, join(path, 'a/out'));
    symlinkSync(join(path, 'a'), join(elsewhere, 'back'));
    const step = fc.constantFrom('a', 'b', 'down', 'up', 'out', 'back', 'file', '..', '.', '', 'new');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const written = steps.join('/') || '.';
        const real = toReal(written.startsWith('/') ? written : `${path}/${written}`);
        const placed = place(workspace, written);
        if (real === null || placed.refusal !== undefined) return;
        const isInside = real === path || real.startsWith(`${path}/`);
        expect(placed.real).toBe(isInside ? relative(path, real) || '.' : real);
      }),
      { numRuns: 500 },
    );
  });

  it('goes back with ".." from where a link really leads, as the kernel does', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('deep/down/x', '');
    workspace.write('deep/secret', '');
    symlinkSync('deep/down', join(workspace.path, 'link'));
    expect([place(workspace, 'link/../secret'), place(workspace, 'new/sub/../../deep/secret', '.', 'write')]).toEqual([
      inside('secret', 'deep/secret'),
      inside('deep/secret'),
    ]);
  });

  it('refuses a link that leaves, also where the text comes back', async () => {
    await using workspace = await openGuardedWorkspace();
    writeFileSync(join(workspace.outside, 'v'), 'secret');
    symlinkSync(workspace.outside, join(workspace.path, 'out'));
    const refusal = 'a link in it leads outside the workspace';
    expect([place(workspace, 'out/v'), place(workspace, 'out/../outside/v')]).toEqual([
      { target: 'out/v', real: null, refusal },
      { target: 'outside/v', real: null, refusal },
    ]);
  });

  it("never reaches the engine's own directory, nor what holds it", async () => {
    await using workspace = await openGuardedWorkspace();
    expect([
      place(workspace, '../home/journal.db'),
      place(workspace, '..'),
      place(workspace, '/', '.', 'write'),
    ]).toEqual([
      {
        target: join(workspace.home, 'journal.db'),
        real: null,
        outside: true,
        refusal: "it is the engine's own directory",
      },
      {
        target: join(workspace.path, '..'),
        real: null,
        outside: true,
        refusal: "the engine's own directory lies in it",
      },
      { target: '/', real: null, outside: true, refusal: "the engine's own directory lies in it" },
    ]);
  });

  it('takes "~" for the home of the person, and the links of /proc for what nobody can tell', async () => {
    await using workspace = await openGuardedWorkspace();
    expect([
      place(workspace, '~/.no-such-file'),
      place(workspace, '/proc/self/environ'),
      place(workspace, '~file'),
    ]).toEqual([
      outside(join(userInfo().homedir, '.no-such-file')),
      {
        target: '/proc/self/environ',
        real: null,
        outside: true,
        refusal: 'a link in /proc leads each process somewhere else',
      },
      inside('~file'),
    ]);
  });

  it('refuses to write through a link to nothing, and what is too long', async () => {
    await using workspace = await openGuardedWorkspace();
    symlinkSync('nothing', join(workspace.path, 'dangling'));
    const refusals = ['dangling', `${'x/'.repeat(3000)}y`].map((path) => place(workspace, path, '.', 'write').refusal);
    expect(refusals).toEqual([
      'it goes through a link to something that does not exist',
      'it is longer than 4096 characters',
    ]);
  });
});
