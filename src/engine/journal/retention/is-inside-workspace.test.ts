import { describe, expect, it } from 'vitest';
import { isInsideWorkspace } from './is-inside-workspace.ts';

describe('a path of an exported event', () => {
  it.each(['a', 'a/b.txt', '.env', '..a/b', 'a/...', 'a b', 'ä/ö'])('may be %j', (path) => {
    expect(isInsideWorkspace(path)).toBe(true);
  });

  it.each(['', '..', '../a', 'a/../b', 'a/..', '/a', 'C:/a', 'c:a', 'a\\b', 'a\0b', 'a'.repeat(5000)])(
    'may not be %j',
    (path) => {
      expect(isInsideWorkspace(path)).toBe(false);
    },
  );
});
