import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importText } from '../../../test/support/imported-settings.ts';
import { bashRule, pathRule } from '../../../test/support/settings-arbitraries.ts';
import { importPolicy } from './import-policy.ts';
import { parsePolicyFile } from './parse-policy-file.ts';

describe('importPolicy', () => {
  it.each([
    '{}',
    '[]',
    '',
    '{"permissions": {"allow": "Bash"}}',
    '{"permission": {"edit": "perhaps"}}',
    '{"permission":{},"permission":{}}',
    `{"permissions": {"allow": [${'1,'.repeat(200_000)}]}}`,
  ])('refuses %.80j', (text) => {
    expect(() => importPolicy(text, 'settings.json')).toThrow(expect.objectContaining({ code: 'policy-invalid' }));
  });

  it('names only the first of many faults', () => {
    const text = JSON.stringify({ permissions: { deny: Array.from({ length: 50 }, () => 1) } });
    expect(() => importPolicy(text, 'settings.json')).toThrow(/\nand 40 more$/);
  });

  it.each([
    [
      'Claude-style',
      { permissions: { deny: ['Grep', 'WebSearch'] } },
      ['permissions.deny[0] Grep', 'permissions.deny[1] WebSearch'],
    ],
    [
      'opencode',
      { permission: { '*': 'ask', grep: 'deny', websearch: 'deny' } },
      ['permission.grep *', 'permission.websearch *'],
    ],
  ])(
    'says of %s tools that look which act they are judged as here',
    (_source, settings, [looking = '', unlike = '']) => {
      expect(importPolicy(JSON.stringify(settings), 'settings.json').notes).toEqual([
        {
          setting: looking,
          reason: 'left out: to search and to list is to read here, and judged as that for every file',
        },
        { setting: unlike, reason: 'left out: no tool here is like it' },
      ]);
    },
  );

  it('keeps the stricter of two rules that are the same here, however they were spelled', () => {
    const { policy } = importText({
      permissions: { ask: ['WebFetch(domain:A.example)'], deny: ['WebFetch(domain:a.example)'] },
    });
    expect(parsePolicyFile(JSON.stringify(policy), 'imported').layers).toEqual([
      {
        name: 'claude',
        rules: [
          { act: 'net', effect: 'deny', pattern: 'a.example' },
          { act: 'net', effect: 'deny', pattern: '*.a.example' },
        ],
      },
    ]);
  });

  it('makes a policy that can be read again, whatever it was given', () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 });
    const list = fc.array(
      fc.oneof(
        bashRule,
        pathRule,
        text,
        text.map((spec) => `Bash(${spec})`),
        text.map((spec) => `Read(${spec})`),
        fc.domain().map((host) => `WebFetch(domain:${host}.)`),
        fc.ipV4Extended().map((host) => `WebFetch(domain:${host})`),
      ),
    );
    fc.assert(
      fc.property(fc.record({ allow: list, ask: list, deny: list }), (permissions) => {
        const { policy } = importText({ permissions });
        expect(parsePolicyFile(JSON.stringify(policy), 'imported')).toEqual(policy);
      }),
    );
    const permission = fc.record({
      edit: fc.dictionary(text, fc.constantFrom('allow', 'ask', 'deny')),
      bash: fc.dictionary(text, fc.constantFrom('allow', 'ask', 'deny')),
    });
    fc.assert(
      fc.property(permission, (permissions) => {
        const { policy } = importText({ permission: permissions });
        expect(parsePolicyFile(JSON.stringify(policy), 'imported')).toEqual(policy);
      }),
    );
  });
});
