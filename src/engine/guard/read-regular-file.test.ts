import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';

describe('reading a file', () => {
  it('gives content, hash, mode and the path where it really lies', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('dir/a.txt', 'text');
    symlinkSync('dir', join(workspace.path, 'link'));
    const { files } = workspace.guard;
    expect(await files.read('link/a.txt', 4)).toMatchObject({
      kind: 'file',
      file: { path: 'dir/a.txt', bytes: Buffer.from('text'), hash: files.hashOf(Buffer.from('text')), mode: 0o644 },
    });
  });

  it('refuses a file over the limit and names its size', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', '12345');
    expect(await workspace.guard.files.read('a.txt', 4)).toEqual({
      kind: 'unreadable',
      reason: '"a.txt" has 5 bytes, over the limit of 4',
      tooLargeBytes: 5,
    });
  });

  it('says that a file is missing, and where it would lie', async () => {
    await using workspace = await openGuardedWorkspace();
    expect(await workspace.guard.files.read('./no/a.txt', 4)).toEqual({ kind: 'missing', path: 'no/a.txt' });
  });

  it('reads neither a directory nor a pipe nor a socket, and does not hang on them', async () => {
    await using workspace = await openGuardedWorkspace();
    mkdirSync(join(workspace.path, 'directory'));
    execFileSync('mkfifo', [join(workspace.path, 'pipe')]);
    const server = createServer().listen(join(workspace.path, 'socket'));
    await once(server, 'listening');
    const reads = ['directory', 'pipe', 'socket'].map((path) => workspace.guard.files.read(path, 100));
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
    expect(await workspace.guard.files.read('.env', 100)).toMatchObject({ kind: 'unreadable' });
  });

  it('reads an empty file as a file', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('empty', '');
    expect(await workspace.guard.files.read('empty', 0)).toMatchObject({
      kind: 'file',
      file: { bytes: Buffer.alloc(0) },
    });
  });
});
