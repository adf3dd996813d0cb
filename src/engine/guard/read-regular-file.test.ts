import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { defaultPolicy } from '../policy/default-policy.ts';

describe('reading a file', () => {
  it('gives content, hash, mode and the path where it really lies', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('dir/a.txt', 'text');
    symlinkSync('dir', join(workspace.path, 'link'));
    const { files } = workspace;
    expect(await files.read('link/a.txt', 4)).toMatchObject({
      kind: 'file',
      file: { path: 'dir/a.txt', bytes: Buffer.from('text'), hash: files.hashOf(Buffer.from('text')), mode: 0o644 },
    });
  });

  it('refuses a file over the limit and names its size', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', '12345');
    expect(await workspace.files.read('a.txt', 4)).toEqual({
      kind: 'unreadable',
      reason: '"a.txt" has 5 bytes, over the limit of 4',
      tooLargeBytes: 5,
    });
  });

  it('says that a file is missing, and where it would lie', async () => {
    await using workspace = await openGuardedWorkspace();
    expect(await workspace.files.read('./no/a.txt', 4)).toEqual({ kind: 'missing', path: 'no/a.txt' });
  });

  it('reads neither a directory nor a pipe nor a socket, and does not hang on them', async () => {
    await using workspace = await openGuardedWorkspace();
    mkdirSync(join(workspace.path, 'directory'));
    execFileSync('mkfifo', [join(workspace.path, 'pipe')]);
    const server = createServer().listen(join(workspace.path, 'socket'));
    await once(server, 'listening');
    const reads = ['directory', 'pipe', 'socket'].map((path) => workspace.files.read(path, 100));
    const results = await Promise.all(reads);
    const edited = await workspace.call('write_file', { path: 'pipe', content: 'x' });
    server.close();
    expect(results).toEqual([
      { kind: 'unreadable', reason: '"directory" is a directory, not a file' },
      { kind: 'unreadable', reason: '"pipe" is a named pipe, not a regular file' },
      { kind: 'unreadable', reason: '"socket" is a socket, not a regular file' },
    ]);
    expect(edited).toEqual({
      status: 'failed',
      text: '"pipe" is a named pipe, not a regular file. Nothing was written.',
    });
  });

  it('denies a secret even when nobody asked the policy before', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('.env', 'KEY=1');
    expect(await workspace.files.read('.env', 100)).toMatchObject({ kind: 'unreadable' });
  });

  it('refuses what asks by now, where nobody was asked', async () => {
    const rule = { act: 'read', effect: 'ask', pattern: 'private' } as const;
    await using workspace = await openGuardedWorkspace({
      ...defaultPolicy,
      layers: [{ name: 'own', origin: 'user', remedy: '', rules: [rule] }],
    });
    workspace.write('private', 'x');
    symlinkSync('private', join(workspace.path, 'open'));
    const reads = (['allow', 'ask'] as const).map((permitted) =>
      workspace.guard.files(workspace.stance, permitted).read('open', 10),
    );
    expect((await Promise.all(reads)).map(({ kind }) => kind)).toEqual(['unreadable', 'file']);
  });

  it('reads an empty file as a file', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('empty', '');
    expect(await workspace.files.read('empty', 0)).toMatchObject({
      kind: 'file',
      file: { bytes: Buffer.alloc(0) },
    });
  });
});
