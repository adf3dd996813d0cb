import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('');

describe('read_file', () => {
  it.each([
    ['a plain file', 'one\ntwo\n', 'f: 2 lines\none\ntwo\n'],
    ['no line end at the end', 'one\ntwo', 'f: 2 lines\none\ntwo'],
    ['CRLF', 'one\r\ntwo\r\n', 'f: 2 lines, CRLF line ends\none\r\ntwo\r\n'],
    ['mixed ends', 'a\r\nb\nc\n', 'f: 3 lines, mixed line ends (1 CRLF, 2 LF)\na\r\nb\nc\n'],
    ['a byte order mark', '\uFEFFone', 'f: 1 line, utf-8 with byte order mark\none'],
    ['UTF-16', Buffer.from('\uFEFFone', 'utf16le'), 'f: 1 line, utf-16le with byte order mark\none'],
    ['Latin-1', Buffer.from('caf\xe9', 'latin1'), 'f: 1 line, iso-8859-1\ncafé'],
    ['an empty file', '', 'f: empty file\n'],
  ])('shows %s as it is, and names what is not plain', async (_, content, text) => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('f', content);
    expect(await workspace.call('read_file', { path: 'f' })).toEqual({ status: 'ok', text });
  });

  it.each([
    [{ fromLine: 3, toLine: 4 }, `f: 10 lines, lines 3 to 4 shown\n${lines(3, 4)}`],
    [{ fromLine: 9 }, `f: 10 lines, lines 9 to 10 shown\n${lines(9, 10)}`],
    [{ toLine: 2 }, `f: 10 lines, lines 1 to 2 shown\n${lines(1, 2)}`],
    [{ fromLine: 10, toLine: 99 }, `f: 10 lines, lines 10 to 10 shown\n${lines(10, 10)}`],
  ])('shows the range %j', async (range, text) => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('f', lines(1, 10));
    expect(await workspace.call('read_file', { path: 'f', ...range })).toEqual({ status: 'ok', text });
  });

  it.each([
    ['a missing file', { path: 'none' }, 'none does not exist.'],
    ['a range behind the end', { path: 'f', fromLine: 11 }, '"f" has only 10 lines.'],
    ['a directory', { path: '.' }, '"." is a directory, not a file.'],
    ['an image', { path: 'p' }, '"p" is a binary file of 8 bytes, looks like a PNG image; its content is not shown.'],
    ['other bytes', { path: 'b' }, '"b" is a binary file of 3 bytes; its content is not shown.'],
  ])('names %s', async (_, args, text) => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('f', lines(1, 10));
    workspace.write('p', Buffer.from('89504e470d0a1a0a', 'hex'));
    workspace.write('b', Buffer.from('610062', 'hex'));
    expect(await workspace.call('read_file', args)).toEqual({ status: 'failed', text });
  });

  it('refuses what is too large with the way on, which then works', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('f', lines(1, 2));
    writeFileSync(join(workspace.path, 'f'), `${lines(1, 2)}${'x'.repeat(11 * 1024 * 1024)}`);
    const size = workspace.read('f').length;
    const whole = await workspace.call('read_file', { path: 'f' });
    const range = await workspace.call('read_file', { path: 'f', fromLine: 1, toLine: 2 });
    truncateSync(join(workspace.path, 'f'), 65 * 1024 * 1024);
    const huge = await workspace.call('read_file', { path: 'f', fromLine: 1, toLine: 2 });
    expect([whole, range, huge]).toEqual([
      {
        status: 'failed',
        text: `"f" has ${size} bytes, over the limit of 10485760; read a range of it with fromLine and toLine, or use grep.`,
      },
      { status: 'ok', text: `f: 3 lines, lines 1 to 2 shown\n${lines(1, 2)}` },
      { status: 'failed', text: '"f" has 68157440 bytes, over the limit of 67108864; use grep to find lines in it.' },
    ]);
  });

  it('refuses a range that ends before it begins', async () => {
    await using workspace = await openGuardedWorkspace();
    expect(await workspace.call('read_file', { path: 'f', fromLine: 2, toLine: 1 })).toEqual({
      status: 'unusable',
      text: 'The arguments of read_file do not fit: fromLine must not be greater than toLine.',
    });
  });

  it('does not show a secret', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('.env', 'KEY=very-secret');
    const { status, text } = await workspace.call('read_file', { path: '.env' });
    expect([status, text.includes('very-secret')]).toEqual(['denied', false]);
  });
});
