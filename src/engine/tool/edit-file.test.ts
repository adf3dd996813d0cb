import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';

describe('edit_file', () => {
  it('says what it did, with the place and the new version', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.ts', 'one\ntwo\nthree\n');
    const hash = workspace.files.hashOf(Buffer.from('one\n2\n2b\nthree\n'));
    expect(await workspace.call('edit_file', { path: './a.ts', old: 'two\n', new: '2\n2b\n' })).toEqual({
      status: 'ok',
      text: `Edited a.ts at line 2: 2 lines added, 1 line removed, now ${hash.slice(0, 12)}.`,
    });
    expect(workspace.seen).toEqual(new Map([['a.ts', hash]]));
  });

  it('keeps a Latin-1 byte elsewhere as it is (anomalyco/opencode#49600)', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', Buffer.from('caf\xe9\nfoo\n', 'latin1'));
    const result = await workspace.call('edit_file', { path: 'a.txt', old: 'foo', new: 'bar' });
    expect({ status: result.status, bytes: workspace.read('a.txt') }).toEqual({
      status: 'ok',
      bytes: Buffer.from('caf\xe9\nbar\n', 'latin1'),
    });
  });

  it('edits Latin-1 in Latin-1 and refuses a character that it lacks', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', Buffer.from('caf\xe9\n', 'latin1'));
    const results = [
      await workspace.call('edit_file', { path: 'a.txt', old: 'é', new: 'è' }),
      await workspace.call('edit_file', { path: 'a.txt', old: 'caf', new: '€漢' }),
    ];
    expect({ results: results.map(({ status }) => status), bytes: workspace.read('a.txt') }).toEqual({
      results: ['ok', 'failed'],
      bytes: Buffer.from('caf\xe8\n', 'latin1'),
    });
  });

  it('keeps a byte order mark (anthropics/claude-code#60174)', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', '\uFEFFfoo\r\n');
    await workspace.call('edit_file', { path: 'a.txt', old: 'foo\n', new: 'bar\n' });
    expect(workspace.read('a.txt').toString()).toBe('\uFEFFbar\r\n');
  });

  it('edits UTF-16 in its own encoding', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', Buffer.from('\uFEFFeins\r\nzwei 😀\r\n', 'utf16le'));
    await workspace.call('edit_file', { path: 'a.txt', old: 'eins\nzwei', new: 'eins\nund\nzwei' });
    expect(workspace.read('a.txt')).toEqual(Buffer.from('\uFEFFeins\r\nund\r\nzwei 😀\r\n', 'utf16le'));
  });

  it('carries out six edits of one file one after the other, none lost (netease-lcap/wave-agent#1256)', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', '1 2 3 4 5 6');
    for (const digit of ['1', '2', '3', '4', '5', '6']) {
      await workspace.call('edit_file', { path: 'a.txt', old: digit, new: `<${digit}>` });
    }
    expect(workspace.read('a.txt').toString()).toBe('<1> <2> <3> <4> <5> <6>');
  });

  it('tells five of six edits prepared from one version that they were not made (netease-lcap/wave-agent#1256)', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', '1 2 3 4 5 6');
    const edits = ['1', '2', '3', '4', '5', '6'].map((digit) =>
      workspace.call('edit_file', { path: 'a.txt', old: digit, new: `<${digit}>` }),
    );
    const statuses = (await Promise.all(edits)).map(({ status }) => status);
    const made = workspace.read('a.txt').toString().match(/<\d>/g) ?? [];
    expect(statuses.filter((status) => status === 'ok').length).toBe(made.length);
    expect(statuses.every((status) => status === 'ok' || status === 'stale' || status === 'failed')).toBe(true);
  });

  it('refuses to edit what was changed since it was read, with both versions (anthropics/claude-code#43138)', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', 'one two');
    await workspace.call('read_file', { path: 'a.txt' });
    workspace.write('a.txt', 'one two three');
    const hash = (text: string) => workspace.files.hashOf(Buffer.from(text)).slice(0, 12);
    const refused = await workspace.call('edit_file', { path: 'a.txt', old: 'one', new: '1' });
    await workspace.call('read_file', { path: 'a.txt' });
    const made = await workspace.call('edit_file', { path: 'a.txt', old: 'one', new: '1' });
    expect({ refused: refused.text, made: made.status, content: workspace.read('a.txt').toString() }).toEqual({
      refused:
        `a.txt was changed since you looked at it: you last saw ${hash('one two')}, it is now ${hash('one two three')}. ` +
        'Nothing was written. Read it again first.',
      made: 'ok',
      content: '1 two three',
    });
  });

  it('says that a stale passage was not found, and changes nothing (cline/cline#13984)', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', 'one\n');
    expect(await workspace.call('edit_file', { path: 'a.txt', old: 'gone', new: 'x' })).toEqual({
      status: 'failed',
      text: 'The old text does not occur in a.txt. Nothing was changed. Read the file again and quote it exactly.',
    });
    expect(workspace.read('a.txt').toString()).toBe('one\n');
  });

  it('shows where the passage would stand with other white space', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.ts', 'x\n\tif (a) {\n\n\t\tb();\n\t}\n');
    expect(await workspace.call('edit_file', { path: 'a.ts', old: '  if (a) {\n    b();', new: 'c' })).toEqual({
      status: 'failed',
      text:
        'The old text does not occur in a.ts. Nothing was changed. With other white space it stands at line 2:\n' +
        '\tif (a) {\n\n\t\tb();',
    });
  });

  it.each([
    [3, '3 times in a.ts, at lines 1, 2, 3'],
    [
      100_000,
      '20 times or more in a.ts, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20',
    ],
  ])('names the places of a passage that occurs %i times', async (times, places) => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.ts', 'x\n'.repeat(times));
    expect((await workspace.call('edit_file', { path: 'a.ts', old: 'x', new: 'y' })).text).toBe(
      `The old text occurs ${places}. Nothing was changed; include more lines so that it occurs once.`,
    );
  });

  it.each([
    ['a missing file', { path: 'none', old: 'a', new: 'b' }, 'none does not exist; write_file creates files.'],
    ['a binary file', { path: 'image', old: 'a', new: 'b' }, 'image is a binary file and cannot be edited as text.'],
    [
      'the same text',
      { path: 'a.txt', old: 'one', new: 'one' },
      'Old and new text are the same but for line ends, which edit_file keeps. Nothing was changed.',
    ],
  ])('refuses %s', async (_, args, text) => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', 'one');
    workspace.write('image', Buffer.from('89504e47000000', 'hex'));
    expect(await workspace.call('edit_file', args)).toEqual({ status: 'failed', text });
  });

  it('refuses an empty passage as an argument that does not fit', async () => {
    await using workspace = await openGuardedWorkspace();
    expect(await workspace.call('edit_file', { path: 'a.txt', old: '', new: 'b' })).toMatchObject({
      status: 'unusable',
    });
  });

  it('touches only the bytes of the passage, in any file that it edits at all', async () => {
    await using workspace = await openGuardedWorkspace();
    const around = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(around, around, async (before, after) => {
        workspace.write('a.bin', Buffer.concat([before, Buffer.from('[mark]'), after]));
        workspace.seen.clear();
        const { status } = await workspace.call('edit_file', { path: 'a.bin', old: '[mark]', new: '<changed>' });
        const middle = status === 'ok' ? '<changed>' : '[mark]';
        expect(workspace.read('a.bin')).toEqual(Buffer.concat([before, Buffer.from(middle), after]));
      }),
      { numRuns: 60 },
    );
  }, 30_000);
});
