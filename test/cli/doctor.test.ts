// `doctor` tries what this machine can do, says so in its exit code too, and leaves nothing behind.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseLines, runCli } from '../support/run-cli.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';

describe('doctor', () => {
  it('says in its exit code whether commands run enclosed, in words and for scripts', async () => {
    using place = createTemporaryDirectory();
    const home = join(place.path, 'home');
    const [words, script] = [
      await runCli(['doctor', '--home', home]),
      await runCli(['doctor', '--home', home, '--json']),
    ];
    const [report, ...others] = parseLines(script.stdout);
    const expected = report?.isIsolated === true ? 0 : 7;
    expect([words.exitCode, words.stderr, script.exitCode, script.stderr, others]).toEqual([
      expected,
      '',
      expected,
      '',
      [],
    ]);
    expect(words.stdout).toMatch(expected === 0 ? /^Commands run enclosed by \w+\.\n/ : /^Commands do not run here/);
    expect(report).toMatchObject({
      home,
      node: { version: process.version, path: process.execPath },
      sandbox: { minimum: 'isolated', candidates: expect.arrayContaining([expect.objectContaining({ id: 'none' })]) },
    });
    expect(readdirSync(place.path)).toEqual([]);
  });

  it('heeds the policy of the home: what it accepts, and that what it mounts is there', async () => {
    using place = createTemporaryDirectory();
    const home = join(place.path, 'home');
    mkdirSync(home);
    const say = (sandbox: object) =>
      writeFileSync(join(home, 'policy.jsonc'), JSON.stringify({ sandbox }), { mode: 0o600 });
    say({ minimumIsolation: 'caps-only' });
    const accepted = parseLines((await runCli(['doctor', '--home', home, '--json'])).stdout)[0];
    say({ mounts: [{ source: join(place.path, 'gone') }] });
    const broken = await runCli(['doctor', '--home', home]);
    expect(accepted).toMatchObject({ sandbox: { minimum: 'caps-only', selected: expect.any(String) } });
    expect([broken.exitCode, broken.stderr]).toEqual([2, expect.stringContaining('gone')]);
  });

  it.each([['unknown'], ['--fix']])('refuses %s', async (argument) => {
    using place = createTemporaryDirectory();
    const end = await runCli(['doctor', argument, '--home', place.path]);
    expect([end.exitCode, end.stdout]).toEqual([2, '']);
  });
});
