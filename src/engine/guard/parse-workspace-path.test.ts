import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWorkspacePath, toTarget } from './parse-workspace-path.ts';

describe('parseWorkspacePath', () => {
  it.each([
    ['a/b.ts', ['a', 'b.ts']],
    ['./a//b/', ['a', 'b']],
    ['a/../b', ['b']],
    ['.', []],
    ['a/..', []],
    ['-rf', ['-rf']],
    ['a\\b', ['a\\b']],
    ['~/x', ['~', 'x']],
  ])('%j has the parts %j', (text, parts) => {
    expect(parseWorkspacePath(text, 'linux')).toEqual({ kind: 'path', parts });
  });

  it.each([
    ['', 'the path is empty; "." names the workspace itself'],
    ['/etc/passwd', 'absolute paths are refused; give the path relative to the workspace'],
    ['../x', 'the path climbs above the workspace with ".."'],
    ['a/../../x', 'the path climbs above the workspace with ".."'],
    ['a\0b', 'the path holds a NUL character'],
    ['x'.repeat(5000), 'the path is longer than 4096 characters'],
  ])('%j is refused: %s', (text, reason) => {
    expect(parseWorkspacePath(text, 'linux')).toEqual({ kind: 'refused', reason });
  });

  it.each(['C:\\x', '\\\\server\\share', '..\\x', 'a:stream'])('%j is refused on Windows', (text) => {
    expect(parseWorkspacePath(text, 'win32')).toMatchObject({ kind: 'refused' });
  });

  it('takes a backslash for a separator on Windows only', () => {
    expect(parseWorkspacePath('a\\b', 'win32')).toEqual({ kind: 'path', parts: ['a', 'b'] });
  });

  it('gives a target that stays what it is when it is parsed again', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '.', '/', ' ') }), (text) => {
        const parsed = parseWorkspacePath(text, 'linux');
        if (parsed.kind === 'path') expect(parseWorkspacePath(toTarget(parsed.parts), 'linux')).toEqual(parsed);
      }),
    );
  });
});
