import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EngineError, isEngineError } from '../../shared/engine-error.ts';
import { parsePolicyFile } from './parse-policy-file.ts';

const parse = (text: string) => parsePolicyFile(text, 'policy.jsonc');

function failure(text: string): EngineError {
  try {
    parse(text);
  } catch (error) {
    if (isEngineError(error)) return error;
  }
  throw new TypeError('no error came');
}

describe('parsePolicyFile', () => {
  it('reads comments, trailing commas and every key', () => {
    const text = `// ours
{
  "$schema": "./policy.schema.json",
  "layers": [
    {
      "name": "app", /* the first */
      "rules": [
        { "act": "read", "effect": "deny", "pattern": ".x.*", "except": [".x.example"], "reason": "it is ours" },
        { "act": "exec", "effect": "allow", "pattern": "make *", "isolation": "bwrap", "when": "tainted", },
      ],
    },
  ],
  "defaults": { "write": "deny" },
  "sandbox": { "minimumIsolation": "caps-only", "mounts": [{ "source": "/opt/a b" }, { "source": "/a", "target": "/b" }] },
  "store": { "quota": "10GiB" },
}`;
    expect(parse(text)).toEqual({
      $schema: './policy.schema.json',
      layers: [
        {
          name: 'app',
          rules: [
            { act: 'read', effect: 'deny', pattern: '.x.*', except: ['.x.example'], reason: 'it is ours' },
            { act: 'exec', effect: 'allow', pattern: 'make *', isolation: 'bwrap', when: 'tainted' },
          ],
        },
      ],
      defaults: { write: 'deny' },
      sandbox: {
        minimumIsolation: 'caps-only',
        mounts: [{ source: '/opt/a b' }, { source: '/a', target: '/b' }],
      },
      store: { quota: '10GiB' },
    });
  });

  it('reads a policy without rules', () => {
    expect(parse('{}')).toEqual({});
  });

  it('names file, line, key, reason and what may stand there', () => {
    const error = failure(`{
  "layers": [
    { "name": "app", "rules": [
      { "act": "read", "effect": "deny", "pattern": "src/**" },
      { "act": "delete", "effect": "deny", "pattern": "a" },
      { "act": "read", "effect": "deny", "pattern": "b", "patern": "c" }
    ] }
  ],
  "default": {}
}`);
    expect(error).toMatchObject({ code: 'policy-invalid' });
    expect(error.message.split('\n')).toEqual([
      'The policy policy.jsonc cannot be used:',
      expect.stringMatching(/line 5: layers\[0\]\.rules\[1\]\.act is not usable: .*"read"\|"write"\|"exec"\|"net"/),
      '  line 6: layers[0].rules[2].patern is no key here; there are act, effect, pattern, except, when, isolation, reason',
      '  line 9: default is no key here; there are $schema, layers, defaults, sandbox, store',
    ]);
  });

  it.each([
    [
      '{"layers":[{"name":"a","rules":[{"act":"read","effect":"deny","pattern":"src/**"}]}]}',
      'layers[0].rules[0].pattern "src/**" holds `**`',
    ],
    [
      '{"layers":[{"name":"a","rules":[{"act":"read","effect":"deny","pattern":"a","except":["b/"]}]}]}',
      'except[0] "b/" ends with `/`',
    ],
    ['{"layers":[{"name":"secrets","rules":[]}]}', "layers[0].name is a name of the engine's own"],
    ['{"layers":[{"name":"Protected","rules":[]}]}', "layers[0].name is a name of the engine's own"],
    [
      `{"layers":[{"name":"a","rules":[{"act":"read","effect":"deny","pattern":"a","reason":"${'a'.repeat(301)}"}]}]}`,
      'layers[0].rules[0].reason is not usable',
    ],
    ['{"layers":[{"name":"a b","rules":[]}]}', 'layers[0].name is not usable'],
    ['{"layers":[{"name":"a"}]}', 'layers[0].rules is not usable'],
    ['{"defaults":{"write":"maybe"}}', 'defaults.write is not usable'],
    ['{"defaults":{"writes":"ask"}}', 'there are read, write, exec, net'],
    ['{"defaults":{"write":"ask","write":"allow"}}', 'defaults.write is there twice'],
    ['{"sandbox":{"minimumIsolation":"none"}}', 'sandbox.minimumIsolation is not usable'],
    ['{"sandbox":{"minimum":"isolated"}}', 'sandbox.minimum is no key here; there are minimumIsolation, mounts'],
    ['{"sandbox":{"mounts":[{"source":"/a","write":true}]}}', 'write is no key here; there are source, target'],
    ['{"store":{"quota":"much"}}', 'store.quota "much" is no size: give bytes'],
    ['{"store":{"quota":1000}}', 'store.quota is not usable'],
    ['{"store":{"size":"1GB"}}', 'store.size is no key here; there are quota'],
    ['{"sandbox":{"mounts":[{"source":"~/a"}]}}', 'sandbox.mounts[0].source must be an absolute path'],
    ['{"sandbox":{"mounts":[{"source":"/a","target":"/usr"}]}}', 'sandbox.mounts[0].target would cover up /usr'],
    ['{"sandbox":{"mounts":[{"source":"/etc"}]}}', 'sandbox.mounts[0].source would cover up /etc/passwd'],
    [
      '{"layers":[{"name":"a","rules":[{"act":"exec","effect":"allow","pattern":"a","isolation":"unshare"}]}]}',
      'isolation is not usable',
    ],
    ['[]', 'the policy is not usable'],
    ['', 'the file'],
    ['{"layers":', 'the file is not JSON: value expected'],
    ["{'layers': []}", 'the file is not JSON'],
    [`${'['.repeat(50_000)}`, 'nests deeper than 32 levels'],
  ])('refuses %.60s', (text, message) => {
    expect(failure(text).message).toContain(message);
  });

  it('refuses two rules that contradict each other, and tells them from ones that do not', () => {
    const rule = (fields: object) => ({ act: 'write', effect: 'ask', pattern: 'a', ...fields });
    const file = (...rules: object[]) => JSON.stringify({ layers: [{ name: 'one', rules }] });
    expect(failure(file(rule({}), rule({ effect: 'allow' }))).message).toContain(
      'layers[0].rules[1] is to allow what another rule is to ask: keep one of the two',
    );
    expect(() => parse(file(rule({}), rule({}), rule({ act: 'read', effect: 'deny' })))).not.toThrow();
    expect(() => parse(file(rule({ when: 'tainted' }), rule({ effect: 'allow' })))).not.toThrow();
  });

  it('takes two spellings of one pattern for the same rule', () => {
    const file = (act: string, one: string, other: string) =>
      JSON.stringify({
        layers: [
          {
            name: 'one',
            rules: [
              { act, effect: 'deny', pattern: one },
              { act, effect: 'allow', pattern: other },
            ],
          },
        ],
      });
    expect(failure(file('read', './a/b', 'a/b')).message).toContain('keep one of the two');
    expect(failure(file('net', 'A.example', 'a.example')).message).toContain('keep one of the two');
    expect(() => parse(file('read', './a', 'a'))).not.toThrow();
  });

  it('is brief about a file with very many faults, and does not break down over them', () => {
    const rules = (count: number, rule: string) => `{"layers":[{"name":"a","rules":[${`${rule},\n`.repeat(count)}]}]}`;
    const duplicate = '{"act":"read","effect":"deny","pattern":"a/","act":"read"}';
    expect(failure(rules(4000, '{}')).message.split('\n').at(-1)).toBe('  and 11990 more');
    expect(failure(rules(4000, duplicate)).message.split('\n').at(-1)).toBe('  and 7990 more');
    expect(failure(rules(100_000, '{}')).message).toContain('too many faults');
  }, 20_000);

  it('lets a remembered answer differ from an older rule', () => {
    const layer = (name: string, effect: string) => ({ name, rules: [{ act: 'exec', effect, pattern: 'make all' }] });
    expect(() =>
      parse(JSON.stringify({ layers: [layer('mine', 'allow'), layer('remembered', 'deny')] })),
    ).not.toThrow();
  });

  it('never fails in another way, whatever it is given', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"layers"',
      '"name"',
      '"rules"',
      '"a"',
      '//',
      '/*',
      '1',
      '\n',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(token).map((all) => all.join(' ')),
        ),
        (text) => {
          try {
            parse(text);
          } catch (error) {
            expect(error).toMatchObject({ code: 'policy-invalid' });
          }
        },
      ),
    );
  });
});
