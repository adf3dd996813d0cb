import { describe, expect, it } from 'vitest';
import { describeSource } from './describe-source.ts';

describe('where an agent has something from', () => {
  it.each([
    [{ origin: 'repository', target: 'README.md', step: 2 }, 'it was shown README.md (repository) in step 2'],
    [
      { origin: 'web', target: 'a.example', step: 3, via: ['root/1.0'] },
      'it was told by root/1.0 in step 3, which was shown a.example (web)',
    ],
    [
      { origin: 'web', target: 'a.example', step: 0, via: ['root', 'root/1.0'] },
      'it was told by root with its task, which was told by root/1.0, which was shown a.example (web)',
    ],
  ])('is told with everybody that it went through: %j', (source, told) => {
    expect(describeSource(source)).toBe(told);
  });
});
