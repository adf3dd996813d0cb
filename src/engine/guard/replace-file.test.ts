import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listTree, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';

const one = Buffer.from('one');
const two = Buffer.from('two');

describe('replacing a file', () => {
  it('puts the new content in its place, keeps its mode and leaves nothing beside it', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('run.sh', one);
    chmodSync(join(workspace.path, 'run.sh'), 0o755);
    const replaced = await workspace.replace('run.sh', workspace.files.hashOf(one), two);
    const { mode } = statSync(join(workspace.path, 'run.sh'));
    expect({ replaced, content: workspace.read('run.sh'), mode: mode & 0o777, tree: listTree(workspace.path) }).toEqual(
      {
        replaced: { kind: 'replaced' },
        content: two,
        mode: 0o755,
        tree: ['run.sh'],
      },
    );
  });

  it('creates a file and its directories, with the mode that the umask leaves', async () => {
    await using workspace = await openGuardedWorkspace();
    const replaced = await workspace.replace('a/b/c.txt', null, one);
    const { mode } = statSync(join(workspace.path, 'a/b/c.txt'));
    expect({ replaced, mode: mode & 0o777, tree: listTree(workspace.path) }).toEqual({
      replaced: { kind: 'replaced' },
      mode: 0o644 & ~process.umask(),
      tree: ['a', 'a/b', 'a/b/c.txt'],
    });
  });

  it('refuses over a content that is not the expected one, and names what is there', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a', two);
    const results = [
      await workspace.replace('a', workspace.files.hashOf(one), one),
      await workspace.replace('a', null, one),
      await workspace.replace('b', workspace.files.hashOf(one), two),
    ];
    expect(results).toEqual([
      { kind: 'stale', hash: workspace.files.hashOf(two) },
      { kind: 'stale', hash: workspace.files.hashOf(two) },
      { kind: 'stale', hash: null },
    ]);
    expect({ a: workspace.read('a'), tree: listTree(workspace.path) }).toEqual({ a: two, tree: ['a'] });
  });

  it('lets one of several creations of one file win and tells the others', async () => {
    await using workspace = await openGuardedWorkspace();
    const contents = Array.from({ length: 8 }, (_, at) => Buffer.from(`content ${at}`));
    const results = await Promise.all(contents.map((content) => workspace.replace('new/a', null, content)));
    const winner = workspace.read('new/a');
    expect(results).toEqual(
      contents.map((content) =>
        content.equals(winner) ? { kind: 'replaced' } : { kind: 'stale', hash: workspace.files.hashOf(winner) },
      ),
    );
    expect(listTree(workspace.path)).toEqual(['new', 'new/a']);
  });

  it('lets one of several replacements of one version win and tells the others (netease-lcap/wave-agent#1256)', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a', one);
    const before = workspace.files.hashOf(one);
    const contents = Array.from({ length: 6 }, (_, at) => Buffer.from(`content ${at}`));
    const results = await Promise.all(contents.map((content) => workspace.replace('a', before, content)));
    const winner = workspace.read('a');
    expect(results).toEqual(
      contents.map((content) =>
        content.equals(winner) ? { kind: 'replaced' } : { kind: 'stale', hash: workspace.files.hashOf(winner) },
      ),
    );
    expect(listTree(workspace.path)).toEqual(['a']);
  });

  it('writes through a link inside the workspace to the file it leads to', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('real', one);
    symlinkSync('real', join(workspace.path, 'link'));
    const replaced = await workspace.replace('link', workspace.files.hashOf(one), two);
    expect({ replaced, real: workspace.read('real'), link: readFileSync(join(workspace.path, 'link')) }).toEqual({
      replaced: { kind: 'replaced' },
      real: two,
      link: two,
    });
  });

  it('refuses a directory, a denied path and a name that is too long, and leaves nothing behind', async () => {
    await using workspace = await openGuardedWorkspace();
    mkdirSync(join(workspace.path, 'dir'));
    const results = [];
    for (const path of ['dir', '.env', 'x'.repeat(300)]) results.push((await workspace.replace(path, null, one)).kind);
    expect(results).toEqual(['unwritable', 'unpermitted', 'unpermitted']);
    expect(listTree(workspace.path)).toEqual(['dir']);
  });

  it('writes nothing where the place asks and nobody was asked, or has come to be denied', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('real', one);
    workspace.write('.env', one);
    const { guard, stance, files } = workspace;
    const options = { before: files.hashOf(one), after: two, permitted: 'allow' } as const;
    const unasked = await guard.replace('real', options, stance);
    symlinkSync('.env', join(workspace.path, 'link'));
    const denied = await guard.replace('link', { ...options, permitted: 'ask' }, stance);
    expect([unasked, denied]).toEqual([
      { kind: 'unpermitted', because: 'write of "real" must be asked for by default, and nobody was asked' },
      { kind: 'unpermitted', because: expect.stringContaining('is denied by the rule ".env"') },
    ]);
    expect([workspace.read('real'), workspace.read('.env')]).toEqual([one, one]);
  });

  it.runIf(process.getuid?.() === 0)('says when this user may not write there (needs root, to drop it)', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('locked/a', one);
    const script = `
      process.setuid(65534);
      ${openingGuard(workspace.path)}
      console.log(JSON.stringify(await replace('locked/new', null, Buffer.from('x'))));`;
    for (const path of [dirname(workspace.path), workspace.path]) chmodSync(path, 0o755);
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(JSON.parse(child.stdout)).toEqual({
      kind: 'unwritable',
      reason: '"locked/new" cannot be written: this user has no permission to write there',
    });
  });

  it('leaves the old or the new content, whole, however it is killed', async () => {
    await using workspace = await openGuardedWorkspace();
    const [old, next] = [Buffer.alloc(300_000, 'a'), Buffer.alloc(300_000, 'b')];
    workspace.write('dir/file', old);
    const script = `
      ${openingGuard(workspace.path)}
      const [old, next] = [Buffer.alloc(300_000, 'a'), Buffer.alloc(300_000, 'b')];
      const { hashOf } = guard.files(stance, 'ask');
      const isOld = (await guard.hash('dir/file')) === hashOf(old);
      for (let [from, to] = isOld ? [old, next] : [next, old]; ; [from, to] = [to, from]) {
        await replace('dir/file', hashOf(from), to);
        console.log('replaced');
      }`;
    for (let kill = 0; kill < 8; kill++) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const exit = once(child, 'exit');
      for (let seen = 0; seen <= kill; seen++) await once(child.stdout, 'data');
      setTimeout(() => child.kill('SIGKILL'), Math.random() * 5);
      await exit;
      const content = workspace.read('dir/file');
      expect(content.equals(old) || content.equals(next)).toBe(true);
    }
    await workspace.guard.hash('dir/file');
    expect(listTree(workspace.path)).toEqual(['dir', 'dir/file']);
  }, 60_000);
});

/** Source that opens a guard over the workspace in a process of its own. */
function openingGuard(workspace: string): string {
  const module = pathToFileURL(join(import.meta.dirname, 'open-guard.ts')).href;
  return `
    const { openGuard } = await import(${JSON.stringify(module)});
    const policy = { layers: [], defaults: { read: 'allow', write: 'ask', exec: 'ask', net: 'deny' } };
    const stance = { policy, isTainted: false, isolation: 'none' };
    const guard = await openGuard({ workspace: ${JSON.stringify(workspace)}, home: null, sandbox: null });
    const replace = (path, before, after) => guard.replace(path, { before, after, permitted: 'ask' }, stance);`;
}
