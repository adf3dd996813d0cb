// Policy files from the command line: looked over, made of another tool's settings, and tried on a run that is over.
import { describe, expect, it } from 'vitest';
import { openScenario } from '../support/open-scenario.ts';
import { parseLines, runCli } from '../support/run-cli.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';

describe('policy check', () => {
  it('counts what a good file holds', async () => {
    using files = createTemporaryDirectory();
    const rule = { act: 'write', effect: 'deny', pattern: 'a/*' };
    const file = files.write('policy.jsonc', JSON.stringify({ layers: [{ name: 'app', rules: [rule] }] }));
    const ends = [
      await runCli(['policy', 'check', file, '--home', files.path]),
      await runCli(['policy', 'check', 'policy.jsonc', '--json', '--home', files.path], { directory: files.path }),
    ];
    expect(ends.map(({ exitCode, stdout }) => [exitCode, stdout])).toEqual([
      [0, `${file}: 1 rule in 1 layer\n`],
      [0, `${JSON.stringify({ file, layers: 1, rules: 1 })}\n`],
    ]);
  });

  it.each([
    ['is not there', null, /policy\.jsonc/],
    ['is no JSON', '{ "layers": [', /policy\.jsonc/],
    ['misspells a key', '{ "layer": [] }', /layer/],
    [
      'names an unknown act',
      '{"layers":[{"name":"a","rules":[{"act":"look","effect":"deny","pattern":"a"}]}]}',
      /look|act/,
    ],
    [
      'holds a pattern that is refused',
      '{"layers":[{"name":"a","rules":[{"act":"read","effect":"deny","pattern":"a/**"}]}]}',
      /\*\*/,
    ],
  ])('refuses a file that %s, and says where', async (_title, text, says) => {
    using files = createTemporaryDirectory();
    if (text !== null) files.write('policy.jsonc', text);
    const end = await runCli(['policy', 'check', 'policy.jsonc', '--home', files.path], { directory: files.path });
    expect([end.exitCode, end.stdout, end.stderr]).toEqual([2, '', expect.stringMatching(says)]);
    expect(end.stderr).toContain('policy.jsonc');
  });
});

describe('policy import', () => {
  it('makes a policy of the settings of another tool, good as it stands, and says what was left out', async () => {
    using files = createTemporaryDirectory();
    const settings = { permissions: { allow: ['Bash(ls:*)'], deny: ['Read(./secrets/**)'], ask: ['Mcp__x'] } };
    files.write('settings.json', JSON.stringify(settings));
    const options = { directory: files.path };
    const end = await runCli(['policy', 'import', 'settings.json', '--home', files.path], options);
    expect([end.exitCode, end.stderr]).toEqual([
      0,
      expect.stringMatching(/^io-studio: read as claude settings; \d+ not carried over/),
    ]);
    files.write('policy.jsonc', end.stdout);
    expect((await runCli(['policy', 'check', 'policy.jsonc', '--home', files.path], options)).exitCode).toBe(0);
  });
});

describe('simulate', () => {
  it('tells what another policy would have decided, first difference by first difference', async () => {
    const calls = ['a.txt', 'b.txt'].map((path) => ({ tool: 'write_file', arguments: { path, content: 'x' } }));
    await using scenario = await openScenario([{ calls }, { text: 'Done.' }]);
    const { result } = await scenario.run({}, { approve: 'all' });
    await scenario.engine.close();
    using files = createTemporaryDirectory();
    const rules = ['a.txt', 'b.txt'].map((pattern) => ({ act: 'write', effect: 'deny', pattern }));
    const policy = files.write('policy.jsonc', JSON.stringify({ layers: [{ name: 'app', rules }] }));
    const args = ['simulate', result.runId, '--policy', policy, '--home', scenario.home];
    const [told, shown] = [await runCli([...args, '--json']), await runCli(args)];
    expect([told.exitCode, told.stderr]).toEqual([0, '']);
    expect(parseLines(told.stdout)[0]).toMatchObject({
      calls: 2,
      stricter: 2,
      looser: 0,
      differences: [
        {
          act: 'write',
          target: 'a.txt',
          was: { effect: 'ask' },
          would: { effect: 'deny', layer: 'app' },
          conditional: false,
        },
        {
          act: 'write',
          target: 'b.txt',
          was: { effect: 'ask' },
          would: { effect: 'deny', layer: 'app' },
          conditional: true,
        },
      ],
    });
    expect(shown.stdout).toContain('  write a.txt  (step 1, call 0)\n    was    ask, the default\n');
    expect(shown.stdout).toContain('  write b.txt  (step 1, call 1, perhaps)\n');
  });

  it('of a run that is not there says where to look', async () => {
    using files = createTemporaryDirectory();
    const policy = files.write('policy.jsonc', '{}');
    const end = await runCli(['simulate', 'run-0123456789012345678900', '--policy', policy, '--home', files.path]);
    expect([end.exitCode, end.stderr]).toEqual([2, expect.stringContaining('io-studio runs')]);
  });
});
