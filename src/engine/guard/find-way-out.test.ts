import { describe, expect, it } from 'vitest';
import type { JudgedAct } from '../../shared/act.ts';
import { composePolicy } from '../policy/compose-policy.ts';
import type { Isolation, Sandbox } from '../sandbox/sandbox.ts';
import { findWayOut } from './find-way-out.ts';
import { judgeResolved } from './judge-resolved.ts';
import { resolveNetTarget } from './resolve-net-target.ts';

interface Setting {
  readonly isolation?: Isolation | null;
  readonly allow?: readonly string[];
  readonly byDefault?: 'allow' | 'ask' | 'deny';
  readonly permitted?: 'allow' | 'ask';
  /** What the line of the command names. */
  readonly named?: readonly string[];
}

/** Which of two hosts the command would get to; null where it gets no way out. */
function tryHosts({ isolation = 'bwrap', allow = [], byDefault = 'deny', permitted = 'allow', named = [] }: Setting) {
  const rules = allow.map((pattern) => ({ act: 'net', effect: 'allow', pattern }) as const);
  const policy = composePolicy([
    { origin: 'user', file: null, policy: { layers: [{ name: 'own', rules }], defaults: { net: byDefault } } },
  ]);
  const stance = { policy, isTainted: false, isolation: isolation ?? 'none' };
  const acts: JudgedAct[] = named.map((target) => judgeResolved(resolveNetTarget(target), stance));
  const sandbox: Sandbox = { isolation, run: () => Promise.reject(new Error('Nothing is run here')) };
  const wayOut = findWayOut(acts, { sandbox, stance, permitted });
  if (wayOut === null) return null;
  return ['a.example:443', 'b.example:443'].filter((target) => wayOut.judge(target).refusal === null);
}

describe('a command', () => {
  it.each<[what: string, setting: Setting, hosts: readonly string[] | null]>([
    ['no way out by default', {}, null],
    ['a way to what a rule allows', { allow: ['a.example'] }, ['a.example:443']],
    ['no way out by a default alone', { byDefault: 'allow' }, null],
    [
      'a way to what it names, by a default',
      { byDefault: 'allow', named: ['a.example:443'] },
      ['a.example:443', 'b.example:443'],
    ],
    ['no way out while what it names is not asked about', { byDefault: 'ask', named: ['a.example:443'] }, null],
    [
      'a way to what it names, by a yes',
      { byDefault: 'ask', named: ['A.Example.:443'], permitted: 'ask' },
      ['a.example:443'],
    ],
    ['no way to another port, by a yes', { byDefault: 'ask', named: ['a.example:80'], permitted: 'ask' }, []],
    ['no way out by a yes to a command that names no host', { byDefault: 'ask', permitted: 'ask' }, null],
    [
      'no way out where one of its hosts is denied',
      { allow: ['a.example'], named: ['a.example:443', 'b.example:443'] },
      null,
    ],
    ['no way out where nothing keeps it in', { isolation: 'none', allow: ['a.example'] }, null],
    ['no way out where nothing runs it', { isolation: null, allow: ['a.example'] }, null],
    ['none under Landlock by a rule alone', { isolation: 'landlock', allow: ['a.example'] }, null],
    [
      'one under Landlock for what it names, so that it is told that there is none',
      { isolation: 'landlock', allow: ['a.example'], named: ['a.example:443'] },
      ['a.example:443'],
    ],
  ])('has %s', (_what, setting, hosts) => {
    expect(tryHosts(setting)).toEqual(hosts);
  });
});
