import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createFloorSandbox } from '../../../test/support/floor-sandbox.ts';
import { listTree, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { isEngineError } from '../../shared/engine-error.ts';
import { openGuard } from './open-guard.ts';

const allowed = { effect: 'allow', rule: null, layer: 'default', origin: 'default', wouldChange: null };
const sandbox = createFloorSandbox();
const isRoot = process.getuid?.() === 0;

describe('openGuard', () => {
  it('knows its workspace by device and inode of the real directory', async () => {
    await using workspace = await openGuardedWorkspace();
    symlinkSync(workspace.path, join(workspace.outside, 'alias'));
    const guard = await openGuard({ workspace: join(workspace.outside, 'alias'), home: null, sandbox });
    guard.close();
    const { dev, ino } = statSync(workspace.path, { bigint: true });
    expect(guard.workspace).toEqual({ path: workspace.path, device: String(dev), inode: String(ino) });
  });

  it.each([
    ['nowhere', 'there is nothing at this path'],
    ['a.txt', 'it is not a directory'],
  ])('refuses the workspace %s with a remedy: %s', async (name, reason) => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', '');
    const path = join(workspace.path, name);
    const error = await openGuard({ workspace: path, home: null, sandbox }).catch((caught) => caught);
    expect({ code: error.code, message: error.message, remedy: error.remedy }).toEqual({
      code: 'workspace-unusable',
      message: `The workspace ${JSON.stringify(path)} cannot be used: ${reason}.`,
      remedy: 'Name an existing directory that this user may list and enter.',
    });
  });

  it.runIf(isRoot)('refuses a workspace that this user may not list (needs root, to drop it)', () => {
    const directory = mkdtempSync(join(tmpdir(), 'io-studio-locked-'));
    chmodSync(directory, 0o711);
    const script = `
      process.setuid(65534);
      const { openGuard } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'open-guard.ts')).href)});
      await openGuard({ workspace: ${JSON.stringify(directory)}, home: null, sandbox: null }).catch((error) => console.log(error.message));`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    rmSync(directory, { recursive: true });
    expect(child.stdout.trim()).toBe(
      `The workspace ${JSON.stringify(directory)} cannot be used: this user has no permission to list it or to enter it.`,
    );
  });

  it('judges where a path really lies, and names both', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('real/a.txt', '');
    symlinkSync('real', join(workspace.path, 'link'));
    expect(await workspace.judge({ kind: 'read', target: './link//a.txt' })).toEqual([
      {
        act: { kind: 'read', target: 'link/a.txt', real: 'real/a.txt', letterCase: 'exact', outside: false },
        verdict: { ...allowed, because: 'read of "link/a.txt" is allowed by default' },
      },
    ]);
  });

  it('denies a secret that is reached through a link of another name', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('.env', 'KEY=1');
    symlinkSync('.env', join(workspace.path, 'notes.txt'));
    expect(await workspace.judge({ kind: 'read', target: 'notes.txt' })).toMatchObject([
      { act: { real: '.env' }, verdict: { effect: 'deny', layer: 'secrets', rule: '.env' } },
    ]);
  });

  it.each([
    ['/etc/passwd', 'absolute paths are refused; give the path relative to the workspace'],
    ['../outside/x', 'the path climbs above the workspace with ".."'],
  ])('denies %s before looking at anything', async (target, reason) => {
    await using workspace = await openGuardedWorkspace();
    expect(await workspace.judge({ kind: 'write', target })).toEqual([
      {
        act: { kind: 'write', target, real: null, letterCase: 'exact', outside: false },
        verdict: {
          effect: 'deny',
          rule: null,
          layer: 'workspace',
          origin: 'built-in',
          because: `write of ${JSON.stringify(target)} is denied: ${reason}`,
          wouldChange: 'name another path',
        },
      },
    ]);
  });

  it("never reaches the engine's own directory, even where it lies in the workspace", async () => {
    await using workspace = await openGuardedWorkspace();
    const home = join(workspace.path, 'state');
    const guard = await openGuard({ workspace: workspace.path, home, sandbox });
    workspace.write('state/journal.db', 'x');
    symlinkSync('state', join(workspace.path, 'alias'));
    const judged = await Promise.all(
      ['state/journal.db', 'state', 'alias/new'].map((target) =>
        guard.judge({ kind: 'write', target }, workspace.stance),
      ),
    );
    const found = await guard.files(workspace.stance, 'ask').find('*', new AbortController().signal);
    guard.close();
    expect(judged.flat().map(({ verdict }) => verdict.because)).toEqual([
      `write of "state/journal.db" is denied: it is the engine's own directory`,
      `write of "state" is denied: it is the engine's own directory`,
      `write of "alias/new" is denied: it is the engine's own directory`,
    ]);
    expect(found).toEqual({ kind: 'found', items: [], more: false });
  });

  it('can be closed twice, and refuses every act after that', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.guard.close();
    workspace.guard.close();
    const error = await workspace.files.read('a', 1).catch((caught) => caught);
    expect(isEngineError(error) && error.code).toBe('closed');
  });

  it('keeps no descriptor open beyond the one of the workspace', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a/b/c.txt', 'x');
    symlinkSync('../a/b', join(workspace.path, 'a', 'link'));
    symlinkSync(workspace.outside, join(workspace.path, 'out'));
    const useAll = async () => {
      for (const path of ['a/link/c.txt', 'a/link/no/way', 'out/x', '../x', 'a', 'a/b/c.txt/d']) {
        await workspace.judge({ kind: 'write', target: path });
        await workspace.files.read(path, 100);
        await workspace.files.list(path);
        await workspace.replace(path, null, Buffer.from('y'));
      }
    };
    const count = () => readdirSync('/proc/self/fd').length;
    await useAll();
    const before = count();
    await useAll();
    expect(count()).toBe(before);
  });

  it('settles an interrupted change by the file and removes what the dead process left', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('dir/a.txt', 'now');
    const { hashOf } = workspace.files;
    await workspace.call('write_file', { path: 'dir/b.txt', content: 'b' });
    const leftover = await leaveTemporaryFile(join(workspace.path, 'dir'));
    const hashes = [await workspace.guard.hash('dir/a.txt'), await workspace.guard.hash('dir/none.txt')];
    expect(hashes).toEqual([hashOf(Buffer.from('now')), null]);
    expect({ leftover, tree: listTree(workspace.path) }).toEqual({
      leftover: expect.stringMatching(/^\.io-studio-.*\.tmp$/),
      tree: ['dir', 'dir/a.txt', 'dir/b.txt'],
    });
  });

  it('does not take a file that cannot be read for one that is not there', async () => {
    await using workspace = await openGuardedWorkspace();
    mkdirSync(join(workspace.path, 'a'));
    const error = await workspace.guard.hash('a').catch((caught) => caught);
    expect({ code: error.code, message: error.message }).toEqual({
      code: 'workspace-unusable',
      message: 'An interrupted change cannot be settled: "a" is a directory, not a file.',
    });
  });
});

/** What a process leaves that is killed in the middle of a replacement: named by its own, real process. */
async function leaveTemporaryFile(directory: string): Promise<string> {
  const module = pathToFileURL(join(import.meta.dirname, 'temporary-name.ts')).href;
  const script = `const { createTemporaryName } = await import(${JSON.stringify(module)}); console.log(createTemporaryName());`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  writeFileSync(join(directory, stdout.trim()), 'half');
  return stdout.trim();
}
