import { describe, expect, it } from 'vitest';
import { findSourceProblem, findTargetProblem } from './find-mount-problem.ts';

describe('where a mount comes from', () => {
  it.each(['/opt/sdk', '/home/ada/my sdk', '/etc', '/opt/..x/.y'])('may be %j', (path) => {
    expect(findSourceProblem(path)).toBeNull();
  });

  it.each([
    '',
    '/',
    'opt/sdk',
    './sdk',
    '~/sdk',
    '/opt/../etc',
    '/opt/./sdk',
    '/opt//sdk',
    '/opt/sdk/',
    '/opt/\0',
    '/a\nb',
  ])('may not be %j', (path) => {
    expect(findSourceProblem(path)).toBe('must be an absolute path without `.`, `..`, `//` and control characters');
  });
});

describe('where a mount goes to', () => {
  it.each(['/opt/sdk', '/home/ada/sdk', '/tmp/cargo/registry', '/etc/java-21', '/usrlocal', '/boxes'])(
    'may be %j',
    (path) => {
      expect(findTargetProblem(path)).toBeNull();
    },
  );

  it.each([
    ['/tmp', 'would cover up /tmp'],
    ['/etc', 'would cover up /etc/passwd'],
    ['/etc/passwd', 'would cover up /etc/passwd'],
    ['/usr', 'would cover up /usr'],
    ['/usr/local/lib', 'lies in /usr'],
    ['/proc/self', 'lies in /proc'],
    ['/dev', 'would cover up /dev'],
    ['/box', 'would cover up /box'],
    ['relative', 'must be an absolute path'],
  ])('may not be %j: it %s', (path, problem) => {
    expect(findTargetProblem(path)).toContain(problem);
  });
});
