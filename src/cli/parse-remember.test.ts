import { describe, expect, it } from 'vitest';
import { parseRemember } from './parse-remember.ts';

describe('--remember', () => {
  it.each([
    ['run', { scope: 'run', pattern: undefined }],
    ['project:src/*', { scope: 'project', pattern: 'src/*' }],
    ['user:host:443', { scope: 'user', pattern: 'host:443' }],
  ])('takes %s', (text, expected) => {
    expect(parseRemember(text)).toEqual(expected);
  });

  it.each(['', 'always', ':src/*', 'run:', 'repository', 'repository:src/*', 'Run'])(
    'refuses %j and says why',
    (text) => {
      expect(() => parseRemember(text)).toThrow(
        /takes run, project, user, .*nothing is ever remembered in a file of the workspace/,
      );
    },
  );
});
