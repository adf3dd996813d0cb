import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';

describe('write_file', () => {
  it('creates a file with its directories and remembers it by its plain path', async () => {
    await using workspace = await openGuardedWorkspace();
    const hash = workspace.files.hashOf(Buffer.from('one\ntwo'));
    expect(await workspace.call('write_file', { path: './new//dir/a.txt', content: 'one\ntwo' })).toEqual({
      status: 'ok',
      text: `Created new/dir/a.txt: 2 lines, 7 bytes, now ${hash.slice(0, 12)}.`,
    });
    expect({ content: workspace.read('new/dir/a.txt').toString(), seen: workspace.seen }).toEqual({
      content: 'one\ntwo',
      seen: new Map([['new/dir/a.txt', hash]]),
    });
  });

  it('replaces a file that was never looked at, and says what changed', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', 'one\ntwo\nthree\n');
    expect(await workspace.call('write_file', { path: 'a.txt', content: 'one\nthree\n' })).toEqual({
      status: 'ok',
      text: expect.stringMatching(/^Wrote a\.txt: 0 lines added, 1 line removed, now [0-9a-f]{12}\.$/),
    });
  });

  it('refuses over a version that the agent has not seen, with the new hash (anthropics/claude-code#43138)', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', 'old');
    await workspace.call('read_file', { path: 'a.txt' });
    workspace.write('a.txt', 'of somebody else');
    const hash = workspace.files.hashOf(Buffer.from('of somebody else')).slice(0, 12);
    const { status, text } = await workspace.call('write_file', { path: 'a.txt', content: 'mine' });
    expect({
      status,
      namesHash: text.includes(`it is now ${hash}`),
      content: workspace.read('a.txt').toString(),
    }).toEqual({
      status: 'failed',
      namesHash: true,
      content: 'of somebody else',
    });
  });

  it('keeps a byte order mark over a whole-file write (anthropics/claude-code#60174)', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', '\uFEFFold');
    await workspace.call('write_file', { path: 'a.txt', content: 'new' });
    await workspace.call('write_file', { path: 'a.txt', content: '\uFEFFnewer' });
    expect(workspace.read('a.txt').toString()).toBe('\uFEFFnewer');
  });

  it('writes nothing when the content is there already', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', 'same');
    expect(await workspace.call('write_file', { path: 'a.txt', content: 'same' })).toEqual({
      status: 'ok',
      text: expect.stringMatching(/^a\.txt already has this content; nothing was written, now [0-9a-f]{12}\.$/),
    });
  });

  it('says when the encoding changes', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', Buffer.from('\uFEFFold', 'utf16le'));
    expect(await workspace.call('write_file', { path: 'a.txt', content: 'new' })).toMatchObject({
      text: expect.stringContaining('utf-16le before and UTF-8 now'),
    });
  });

  it('refuses half a surrogate pair instead of writing something else', async () => {
    await using workspace = await openGuardedWorkspace();
    expect(await workspace.call('write_file', { path: 'a.txt', content: '\ud800' })).toEqual({
      status: 'failed',
      text: 'The content holds half a surrogate pair, which UTF-8 cannot hold.',
    });
  });

  it('creates again what was removed since it was read', async () => {
    await using workspace = await openGuardedWorkspace();
    await workspace.call('write_file', { path: 'a.txt', content: 'one' });
    workspace.seen.set('b.txt', workspace.files.hashOf(Buffer.from('gone')));
    expect(await workspace.call('write_file', { path: 'b.txt', content: 'two' })).toMatchObject({ status: 'ok' });
  });
});
