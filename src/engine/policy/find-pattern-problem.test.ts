import { describe, expect, it } from 'vitest';
import type { ActKind } from '../../shared/act.ts';
import { findPatternProblem } from './find-pattern-problem.ts';

describe('findPatternProblem', () => {
  it.each<[ActKind, string]>([
    ['read', '*'],
    ['read', '.'],
    ['read', '.env'],
    ['read', 'src/*.ts'],
    ['read', 'a b/c (1).txt'],
    ['read', '/etc/*'],
    ['write', '.github/*'],
    ['write', 'a..b'],
    ['exec', 'git'],
    ['exec', 'git log *'],
    ['exec', './gradlew test'],
    ['read', './a'],
    ['exec', '../tools/run'],
    ['exec', 'ls /'],
    ['exec', "grep 'a | b' x"],
    ['net', 'api.example'],
    ['net', 'API.example:443'],
    ['net', '*.example:*'],
    ['net', '[::1]'],
    ['net', '[2001:db8::*]:443'],
    ['net', '127.0.0.1:8080'],
    ['net', '*'],
  ])('takes %s of %j', (kind, pattern) => {
    expect(findPatternProblem(kind, pattern)).toBeNull();
  });

  it.each<[ActKind, string, string]>([
    ['read', '', 'is empty'],
    ['read', 'a'.repeat(1025), 'longer than'],
    ['read', 'a\u0000b', 'control character'],
    ['exec', 'a\nb', 'control character'],
    ['read', 'src/**', '`*` already spans `/`'],
    ['exec', 'git **', '`*` already spans `/`'],
    ['read', '!a', '`except`'],
    ['read', 'a\\*', 'backslash'],
    ['read', '?(a)', 'extended glob'],
    ['read', '@(a|b)', 'extended glob'],
    ['read', '[ab]', 'brackets or braces'],
    ['exec', '{a,b}', 'brackets or braces'],
    ['read', '~/a', 'absolute path of the home'],
    ['read', './', '`src/a.ts`'],
    ['read', 'a/./b', '`src/a.ts`'],
    ['read', 'a/./b', '`src/a.ts`'],
    ['read', '../a', 'absolute path'],
    ['read', 'a/..', 'absolute path'],
    ['read', 'a//b', 'one `/`'],
    ['write', 'a/', '`dir/*`'],
    ['exec', ' git', 'space'],
    ['exec', 'git ', 'space'],
    ['exec', 'npm run test:*', '` *`'],
    ['exec', '~/bin/a', 'absolute path of the home'],
    ['exec', 'a && b', 'judged by itself'],
    ['exec', 'a | b', 'judged by itself'],
    ['exec', 'a; b', 'judged by itself'],
    ['net', 'https://api.example', '`host:port`'],
    ['net', 'api.example/path', '`host:port`'],
    ['net', '10.0.0.0/8', '`host:port`'],
    ['net', '::1', '`host:port`'],
    ['net', 'a:99999', '`host:port`'],
    ['net', 'a:0x50', '`host:port`'],
    ['net', 'bücher.example', '`xn--` form'],
    ['net', 'a b', '`host:port`'],
  ])('refuses %s of %.30j and says what to write', (kind, pattern, problem) => {
    expect(findPatternProblem(kind, pattern)).toContain(problem);
  });
});
