import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editText } from './edit-text.ts';

describe('editText', () => {
  it.each([
    ['a\nb\n', 'a', 'x', 'x\nb\n'],
    ['a\r\nb\r\nc', 'a\nb', 'x\ny', 'x\r\ny\r\nc'],
    ['a\r\nb\nc\n', 'b', 'x', 'a\r\nx\nc\n'],
    ['a\r\nb\nc\n', 'a\nb\nc', 'a\nb\nx', 'a\r\nb\nx\n'],
    ['a\r\nb\r\n', 'b', 'b\nc', 'a\r\nb\r\nc\r\n'],
    ['a\r\nb', 'b', 'b\nc', 'a\r\nb\r\nc'],
    ['a\nb\n', 'a\r\nb', 'x\r\ny', 'x\ny\n'],
    ['a\r\nb\r\n', 'a\n', '', 'b\r\n'],
    ['a\r\nb\r\n', '\nb', '', 'a\r\n'],
    ['one two', ' two', '', 'one'],
    ['lone\rcr', 'lone\rcr', 'x\ry', 'x\ry'],
  ])('in %j exchanges %j for %j', (original, wanted, replacement, text) => {
    expect(editText(original, wanted, replacement)).toMatchObject({ kind: 'edited', text });
  });

  it('changes only the byte that was asked for (earendil-works/pi#8544)', () => {
    expect(editText('a\r\nb\nc', 'c', 'C')).toEqual({ kind: 'edited', text: 'a\r\nb\nC', line: 3 });
  });

  it('finds LF text in a CRLF file and keeps CRLF (Gitlawb/zero#376)', () => {
    const edit = editText('one\r\ntwo\r\nthree\r\n', 'one\ntwo', 'one\n2');
    expect(edit).toEqual({ kind: 'edited', text: 'one\r\n2\r\nthree\r\n', line: 1 });
  });

  it('keeps the indentation of the file and binds to nothing that differs from it (openai/codex#30505)', () => {
    expect(editText('    if (a) {\n      b();\n    }\n', '  if (a) {\n    b();', '  if (a) {\n    c();')).toEqual({
      kind: 'absent',
    });
  });

  it('refuses a passage that stands in two places (NousResearch/hermes-agent#93698)', () => {
    const text = 'begin\n  x = 1\nend\nbegin\n  x = 1\nend\n';
    expect(editText(text, '  x = 1\n', '  x = 2\n')).toEqual({ kind: 'ambiguous', lines: [2, 5] });
  });

  it('counts places that overlap', () => {
    expect(editText('aaa', 'aa', 'b')).toEqual({ kind: 'ambiguous', lines: [1, 1] });
  });

  it('says when old and new are the same but for line ends', () => {
    expect(editText('a\r\nb', 'a\r\nb', 'a\nb')).toEqual({ kind: 'unchanged' });
  });

  it('keeps every character before and after the passage, whatever the line ends', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', '\r\n', '\r', ' '), maxLength: 20 });
    const replacement = fc.string({ unit: fc.constantFrom('a', 'X', '\n', '\r\n'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, replacement, (before, after, inserted) => {
        const edit = editText(`${before}[mark]${after}`, '[mark]', `<${inserted}>`);
        if (edit.kind !== 'edited') throw new Error('The mark stands there once.');
        const plain = inserted.replaceAll('\r\n', '\n');
        const middle = edit.text.slice(before.length, edit.text.length - after.length);
        expect(edit.text.startsWith(before) && edit.text.endsWith(after)).toBe(true);
        expect(middle.replaceAll('\r\n', '\n')).toBe(`<${plain}>`);
      }),
    );
  });

  it('is undone by the opposite edit', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é'), maxLength: 4 });
    const ends = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(line, ends), { maxLength: 6 }), line, (lines, word) => {
        const original = lines.map(([text, end]) => text + end).join('');
        const there = editText(`${original}[mark]`, '[mark]', `[${word}mark]!`);
        const back = there.kind === 'edited' ? editText(there.text, `[${word}mark]!`, '[mark]') : there;
        expect(back).toMatchObject({ kind: 'edited', text: `${original}[mark]` });
      }),
    );
  });
});
