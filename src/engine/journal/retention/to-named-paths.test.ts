import { describe, expect, it } from 'vitest';
import { toNamedPaths } from './to-named-paths.ts';

describe('the paths that an event names', () => {
  it('are found wherever they stand, but for the place of the workspace itself', () => {
    const event = {
      type: 'x',
      workspace: { path: '/w' },
      change: { path: 'a', before: null },
      seen: [{ path: 'b' }, { path: 'c' }],
      paths: ['d', 7, 'e'],
      path: 7,
    };
    expect(toNamedPaths(event)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
});
