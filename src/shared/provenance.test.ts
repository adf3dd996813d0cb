import { describe, expect, it } from 'vitest';
import type { Origin } from './blob-ref.ts';
import { addToLabel, emptyLabel, isTainted, type Label } from './provenance.ts';

const shown = (...sources: [Origin, isSensitive?: boolean][]): Label => {
  const label = emptyLabel();
  for (const [index, [origin, isSensitive = false]] of sources.entries())
    addToLabel(label, { origin, target: `source ${index}`, step: index }, isSensitive);
  return label;
};

describe('a label', () => {
  it('keeps the first untrusted and the first sensitive source, and each origin once', () => {
    expect(shown(['person'], ['repository'], ['web'], ['repository', true], ['command', true])).toEqual({
      origins: ['person', 'repository', 'web', 'command'],
      untrusted: { origin: 'repository', target: 'source 1', step: 1 },
      sensitive: { origin: 'repository', target: 'source 3', step: 3 },
    });
  });

  it.each<[boolean, Label]>([
    [false, shown()],
    [false, shown(['web'])],
    [false, shown(['person', true])],
    [false, shown(['person', true], ['contract'], ['model'], ['engine'])],
    [true, shown(['web'], ['person', true])],
    [true, shown(['person', true], ['mcp'])],
    [true, shown(['repository', true])],
    [true, shown(['command'], ['model'], ['person', true])],
  ])('makes its agent tainted only when both came to it: %j', (expected, label) => {
    expect(isTainted(label)).toBe(expected);
  });
});
