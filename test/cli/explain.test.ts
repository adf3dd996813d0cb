// `explain` says what would be enforced, in a line that scripts can read, and leaves nothing behind.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseLines, runCli } from '../support/run-cli.ts';
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const policy = `{
  // What this project is about.
  "layers": [{ "name": "app", "rules": [
    { "act": "write", "effect": "deny", "pattern": "secrets/*" },
    { "act": "write", "effect": "allow", "pattern": "src/*" },
    { "act": "read", "effect": "allow", "pattern": ".env" },
    { "act": "exec", "effect": "allow", "pattern": "ls" },
  ] }],
  "defaults": { "read": "allow", "write": "ask", "exec": "ask", "net": "deny" },
}`;

function prepare(): TemporaryDirectory & {
  readonly explain: (...args: readonly string[]) => ReturnType<typeof runCli>;
} {
  const place = createTemporaryDirectory();
  place.write('workspace/src/a.ts', '');
  place.write('policy.jsonc', policy);
  const common = ['--home', `${place.path}/home`, '--workspace', `${place.path}/workspace`];
  return { ...place, explain: (...args) => runCli(['explain', ...args, ...common], { directory: place.path }) };
}

describe('explain', () => {
  it.each([
    ['read', 'src/a.ts', 'allow', null, 'default'],
    ['read', '.env', 'deny', '.env', 'secrets'],
    ['write', 'src/a.ts', 'allow', 'src/*', 'app'],
    ['write', 'secrets/a', 'deny', 'secrets/*', 'app'],
    ['write', 'docs/a.md', 'ask', null, 'default'],
    ['exec', 'ls', 'allow', 'ls', 'app'],
    ['net', 'example.com:443', 'deny', null, 'default'],
  ])('tells of %s %s: %s by %s of %s', async (act, target, effect, rule, layer) => {
    using place = prepare();
    const end = await place.explain(act, target, '--policy', 'policy.jsonc', '--json');
    const [line, ...others] = parseLines(end.stdout);
    expect([end.exitCode, end.stderr, others]).toEqual([0, '', []]);
    expect(line).toMatchObject({ effect, rule, layer, because: expect.stringContaining(target) });
    expect(Object.keys(line ?? {})).toEqual(expect.arrayContaining(['origin', 'wouldChange', 'parts']));
    expect(line?.wouldChange === null).toBe(effect === 'allow');
  });

  it('judges a shell line as a whole: the strictest of its parts is its verdict', async () => {
    using place = prepare();
    const end = await place.explain('exec', 'ls src && cat .env | ls', '--policy', 'policy.jsonc', '--json');
    expect(parseLines(end.stdout)[0]).toMatchObject({ effect: 'deny', layer: 'secrets' });
  });

  it('says it in words too', async () => {
    using place = prepare();
    const end = await place.explain('write', 'secrets/a', '--policy', 'policy.jsonc');
    expect([end.exitCode, end.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^deny: .*"secrets\/a".*\n {2}decided by {4}the rule "secrets\/\*" of the layer "app" \(app\)\n {2}would change /,
      ),
    ]);
  });

  it('refuses a policy that cannot be read, and leaves nothing behind', async () => {
    using place = prepare();
    place.write('broken.jsonc', '{ "layers": [{ "name": "app", "rulez": [] }] }');
    const end = await place.explain('write', 'a', '--policy', 'broken.jsonc', '--json');
    expect([end.exitCode, parseLines(end.stdout)[0]?.error]).toEqual([
      2,
      expect.objectContaining({ code: 'policy-invalid', message: expect.stringContaining('rulez') }),
    ]);
    expect(readdirSync(place.path).toSorted()).toEqual(['broken.jsonc', 'policy.jsonc', 'workspace']);
  });
});
