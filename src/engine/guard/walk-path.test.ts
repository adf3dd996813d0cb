import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GuardedWorkspace, listTree, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';

const leadsOutside = 'a link in it leads outside the workspace';

/** The reason why a path is denied, or where it really lies. */
async function locate(workspace: GuardedWorkspace, target: string, kind: 'read' | 'write' = 'write') {
  const [{ act, verdict }] = await workspace.judge({ kind, target });
  const real = act.kind === 'read' || act.kind === 'write' ? act.real : null;
  return real ?? verdict.because.replace(/^.* is denied: /, '');
}

describe('walking a path', () => {
  it('expands links that stay inside: relative, absolute, upwards and chained', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a/b/file', '');
    symlinkSync('a/b', join(workspace.path, 'relative'));
    symlinkSync(join(workspace.path, 'a'), join(workspace.path, 'a', 'b', 'absolute'));
    symlinkSync('../../relative/absolute/./', join(workspace.path, 'a', 'b', 'chained'));
    symlinkSync(workspace.path, join(workspace.path, 'root'));
    const paths = [
      'relative/file',
      'relative/absolute/b/file',
      'a/b/chained/b/file',
      'root/a',
      'root',
      'relative/new/file',
    ];
    expect(await Promise.all(paths.map((path) => locate(workspace, path)))).toEqual([
      'a/b/file',
      'a/b/file',
      'a/b/file',
      'a',
      '.',
      'a/b/new/file',
    ]);
  });

  it.each([
    ['absolute', (outside: string) => outside],
    ['climbing', () => '../outside'],
    ['climbing far', () => `${'../'.repeat(30)}etc`],
    ['starting like the workspace', (outside: string) => outside.replace(/outside$/, 'workspace-2')],
  ])('denies a link that is %s', async (_, toTarget) => {
    await using workspace = await openGuardedWorkspace();
    symlinkSync(toTarget(workspace.outside), join(workspace.path, 'out'));
    const located = await Promise.all(['out', 'out/a', 'out/new/a'].map((path) => locate(workspace, path)));
    expect(located).toEqual([leadsOutside, leadsOutside, leadsOutside]);
  });

  it('denies a link that leaves and comes back, because what lies between is not ours', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a', '');
    symlinkSync('../workspace/a', join(workspace.path, 'detour'));
    expect(await locate(workspace, 'detour')).toBe(leadsOutside);
  });

  it('gives up on links that go round in circles', async () => {
    await using workspace = await openGuardedWorkspace();
    symlinkSync('two', join(workspace.path, 'one'));
    symlinkSync('one', join(workspace.path, 'two'));
    expect(await locate(workspace, 'one')).toBe('it leads through more than 40 links');
  });

  it('denies writing through a link to nothing, and reads it as missing', async () => {
    await using workspace = await openGuardedWorkspace();
    symlinkSync('nothing/here', join(workspace.path, 'dangling'));
    expect([await locate(workspace, 'dangling'), await workspace.files.read('dangling', 10)]).toEqual([
      'it goes through a link to something that does not exist',
      { kind: 'missing', path: 'nothing/here' },
    ]);
  });

  it('denies writing below a file', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('dir/a.txt', '');
    expect(await locate(workspace, 'dir/a.txt/b')).toBe('"dir/a.txt" is not a directory');
  });
});

const attempts: readonly (readonly [tool: string, args: (path: string) => unknown])[] = [
  ['read_file', (path) => ({ path })],
  ['write_file', (path) => ({ path, content: 'changed' })],
  ['edit_file', (path) => ({ path, old: 'secret', new: 'changed' })],
  ['list_dir', (path) => ({ path })],
  ['grep', (path) => ({ path, pattern: 'secret' })],
  ['shell', (path) => ({ command: `cat ${path}` })],
  ['shell', (path) => ({ command: `echo changed > ${path}` })],
];

/** What every tool says to `path`, once it is certain that nothing outside was touched. */
async function tryAll(workspace: GuardedWorkspace, path: string) {
  const before = listTree(workspace.outside);
  const results = [];
  for (const [tool, args] of attempts) results.push((await workspace.call(tool, args(path))).status);
  expect(listTree(workspace.outside)).toEqual(before);
  return results;
}

describe('links that lead outside, in every tool', () => {
  it('makes no link out of the text of one, and does not write through one (hyperlocalise/hyperlocalise#2073)', async () => {
    await using workspace = await openGuardedWorkspace();
    const patch = `diff --git a/n b/n\nnew file mode 120000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+${workspace.outside}\n`;
    await workspace.call('write_file', { path: 'n', content: workspace.outside });
    await workspace.call('write_file', { path: 'link.patch', content: patch });
    const isLink = ['n', 'link.patch'].map((path) => lstatSync(join(workspace.path, path)).isSymbolicLink());
    const below = await workspace.call('write_file', { path: 'n/v', content: 'x' });
    symlinkSync(join(workspace.outside, 'v'), join(workspace.path, 'existing'));
    expect({ isLink, below: below.status, through: await tryAll(workspace, 'existing') }).toEqual({
      isLink: [false, false],
      below: 'denied',
      through: attempts.map(() => 'denied'),
    });
  });

  it('refuses a linked directory (anomalyco/opencode#43336)', async () => {
    await using workspace = await openGuardedWorkspace();
    writeFileSync(join(workspace.outside, 'note.md'), 'secret');
    symlinkSync(workspace.outside, join(workspace.path, 'outbox'));
    expect([await tryAll(workspace, 'outbox/note.md'), await tryAll(workspace, 'outbox')]).toEqual([
      attempts.map(() => 'denied'),
      attempts.map(() => 'denied'),
    ]);
  });

  it('does not follow the last component, dangling or not (CopilotKit/OpenBot#100)', async () => {
    await using workspace = await openGuardedWorkspace();
    writeFileSync(join(workspace.outside, 'v'), 'secret');
    symlinkSync(join(workspace.outside, 'v'), join(workspace.path, 'n.md'));
    symlinkSync(join(workspace.outside, 'new'), join(workspace.path, 'd'));
    expect([await tryAll(workspace, 'n.md'), await tryAll(workspace, 'd')]).toEqual([
      attempts.map(() => 'denied'),
      attempts.map(() => 'denied'),
    ]);
  });

  it('sees a linked ancestor of a parent that does not exist (librefang/librefang#6299)', async () => {
    await using workspace = await openGuardedWorkspace();
    mkdirSync(join(workspace.outside, 'there'));
    symlinkSync(workspace.outside, join(workspace.path, 'link'));
    expect(await tryAll(workspace, 'link/newdir/f')).toEqual(attempts.map(() => 'denied'));
  });

  it('shows nothing that lies behind a link in a listing or a search', async () => {
    await using workspace = await openGuardedWorkspace();
    writeFileSync(join(workspace.outside, 'note.md'), 'secret');
    symlinkSync(workspace.outside, join(workspace.path, 'outbox'));
    workspace.write('own.md', 'secret');
    const results = [
      await workspace.call('list_dir', { path: '.' }),
      await workspace.call('find', { pattern: '*' }),
      await workspace.call('grep', { pattern: 'secret' }),
    ];
    expect(results.map(({ text }) => text)).toEqual(['.: 1 listed\nown.md (6 bytes)', 'own.md', 'own.md:1: secret']);
  });
});
