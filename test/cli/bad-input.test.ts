// What a machine can have in store for the command line: places it may not use, journals that are not whole, and other
// processes. Each is one message that names cause and way out, with its exit code, and destroys nothing.
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openScenario } from '../support/open-scenario.ts';
import { type CliOptions, parseLines, runCli } from '../support/run-cli.ts';
import type { Script, ScriptedReply } from '../support/scripted-model-script.ts';
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const claim: ScriptedReply = { text: 'Done.' };

/** Root may do everything everywhere, so a test of permissions has to be somebody else. */
const userId = process.getuid?.() === 0 ? 65534 : undefined;

/** The result line and what was said beside it. */
async function readFailure(args: readonly string[], options: CliOptions) {
  const { exitCode, stdout, stderr } = await runCli([...args, '--json'], options);
  const result = parseLines(stdout).at(-1) ?? {};
  const { kind }: { kind?: string } = Object(result.outcome);
  const { code }: { code?: string } = Object(result.error);
  return { exitCode, told: result.exitCode, kind, code, stderr };
}

describe('without permission', () => {
  function preparePlace(): TemporaryDirectory & { readonly options: CliOptions } {
    const place = createTemporaryDirectory();
    for (const directory of [place.make('workspace'), place.make('home')]) {
      if (userId !== undefined) chownSync(directory, userId, userId);
    }
    const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'm' };
    const options = { environment, directory: '/', ...(userId === undefined ? {} : { userId }) };
    return { ...place, options };
  }

  it.each([
    [
      'a workspace that must not be listed',
      'workspace',
      0o000,
      2,
      'workspace-unusable',
      /no permission .*\nName an existing/,
    ],
    [
      'a home that must not be written',
      'home',
      0o555,
      8,
      'store-unwritable',
      /cannot be written .*\nMake its directory/,
    ],
    ['a home that must not be entered', 'home', 0o000, 8, 'store-unwritable', /cannot be .*\nMake its directory/],
  ] as const)('%s is named, and nothing is left behind', async (_title, directory, mode, exitCode, code, says) => {
    using place = preparePlace();
    chmodSync(join(place.path, directory), mode);
    const args = [
      'run',
      '--goal',
      'x',
      '--workspace',
      join(place.path, 'workspace'),
      '--home',
      join(place.path, 'home'),
    ];
    const { stderr, ...failure } = await readFailure(args, place.options);
    chmodSync(join(place.path, directory), 0o755);
    expect(failure).toEqual({ exitCode, told: exitCode, kind: exitCode === 2 ? 'invalid' : 'storeFailed', code });
    expect(stderr).toMatch(says);
    expect(readdirSync(join(place.path, directory))).toEqual([]);
  });

  it('a home that cannot be made is named', async () => {
    using place = preparePlace();
    chmodSync(join(place.path, 'home'), 0o555);
    const home = join(place.path, 'home/deep/er');
    const args = ['run', '--goal', 'x', '--workspace', join(place.path, 'workspace'), '--home', home];
    expect(await readFailure(args, place.options)).toMatchObject({
      exitCode: 8,
      code: 'store-unwritable',
      stderr: expect.stringContaining(home),
    });
  });

  it.each([
    ['is missing', 'nowhere', /there is nothing at this path/],
    ['is a file', 'file.txt', /it is not a directory/],
  ])('a workspace that %s is named', async (_title, workspace, says) => {
    using place = preparePlace();
    place.write('file.txt', '');
    const args = ['run', '--goal', 'x', '--workspace', join(place.path, workspace), '--home', join(place.path, 'home')];
    const failure = await readFailure(args, place.options);
    expect(failure).toMatchObject({ exitCode: 2, told: 2, kind: 'invalid', code: 'workspace-unusable' });
    expect(failure.stderr).toMatch(says);
  });

  it('for one file, the call fails, the model is told, and the run goes on', async () => {
    const calls = [
      { tool: 'read_file', arguments: { path: 'closed.txt' } },
      { tool: 'write_file', arguments: { path: 'closed/new.txt', content: 'x' } },
      { tool: 'list_dir', arguments: { path: 'closed' } },
    ];
    await using scenario = await openScenario([{ calls }, claim], {
      files: { 'closed.txt': 'x', 'closed/a.txt': 'x' },
    });
    chmodSync(join(scenario.workspace, 'closed.txt'), 0o000);
    chmodSync(join(scenario.workspace, 'closed'), 0o000);
    if (userId !== undefined) for (const path of [scenario.workspace, scenario.home]) chownSync(path, userId, userId);
    const end = await runCli(['run', '--goal', 'x', '--approve', 'all', '--home', scenario.home], {
      environment: scenario.environment,
      directory: scenario.workspace,
      ...(userId === undefined ? {} : { userId }),
    });
    chmodSync(join(scenario.workspace, 'closed'), 0o755);
    expect(end.exitCode).toBe(0);
    const results = scenario.messages(1).filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toEqual([
      expect.stringMatching(/closed\.txt/),
      expect.stringMatching(/closed/),
      expect.stringMatching(/closed/),
    ]);
    expect(JSON.stringify(results)).not.toContain('EACCES: permission denied, open');
  });
});

describe('a journal that is not what it should be', () => {
  const half = (file: string) => truncateSync(file, Math.floor(readFileSync(file).length / 2));
  const rows: readonly [title: string, code: string, spoil: (file: string) => void, says: RegExp][] = [
    ['was cut in half', 'store-damaged', half, /is damaged .*\nRestore the file from a backup/],
    ['was cut in its first page', 'store-damaged', (file) => truncateSync(file, 700), /is damaged/],
    ['is empty', 'store-damaged', (file) => truncateSync(file, 0), /is damaged/],
    ['is a text', 'store-damaged', (file) => writeFileSync(file, 'Dear diary'.repeat(100)), /is damaged/],
    ['is of another program', 'store-foreign', writeForeign, /belongs to another program .*\nPoint --home/],
    ['is of a newer version', 'store-newer', writeNewer, /written by a newer version .*\nUse that version/],
  ];

  it.each(rows)('because it %s is named by every command, with code 8, and is left as it is', async (...row) => {
    const [, code, spoil, says] = row;
    await using scenario = await openScenario([claim]);
    const { result } = await scenario.run();
    await scenario.engine.close();
    const file = join(scenario.home, 'journal.db');
    scenario.exemptFromReplay();
    spoil(file);
    const before = readFileSync(file);
    const commands = [['runs'], ['trace', result.runId], ['resume', result.runId], ['run', '--goal', 'x']];
    for (const command of commands) {
      const failure = await readFailure([...command, '--home', scenario.home], {
        environment: scenario.environment,
        directory: scenario.workspace,
      });
      expect(failure, command[0] ?? '').toMatchObject({ exitCode: 8, told: 8, kind: 'storeFailed', code });
      expect(failure.stderr).toMatch(says);
      expect(failure.stderr).toContain(file);
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  function writeForeign(file: string): void {
    truncateSync(file, 0);
    const database = new SqliteDatabase(file);
    database.exec('create table note (text); pragma application_id = 7');
    database.close();
  }

  function writeNewer(file: string): void {
    const database = new SqliteDatabase(file);
    database.pragma('user_version = 1000');
    database.close();
  }
});

describe('other processes', () => {
  it('eight on one store, which none of them found there, all succeed (anomalyco/opencode#21215)', async () => {
    const script: Script = ({ position }) =>
      position < 3 ? { calls: [{ tool: 'write_file', arguments: { path: `${position}.txt`, content: 'x' } }] } : claim;
    await using scenario = await openScenario(script);
    using place = createTemporaryDirectory();
    const home = join(place.path, 'state/home');
    const ends = await Promise.all(
      Array.from({ length: 8 }, (_each, at) =>
        runCli(
          ['run', '--goal', `Task ${at}`, '--verify', 'test -e 2.txt', '--approve', 'all', '--json', '--home', home],
          {
            environment: scenario.environment,
            directory: place.make(`workspace-${at}`),
          },
        ),
      ),
    );
    expect(ends.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(Array(8).fill([0, '']));
    const runs = parseLines((await runCli(['runs', '--json', '--home', home])).stdout);
    expect(runs.map(({ title, outcome }) => [title, outcome]).toSorted()).toEqual(
      Array.from({ length: 8 }, (_each, at) => [`Task ${at}`, { kind: 'met', checked: true }]),
    );
  }, 120_000);

  it('may work in the same workspace: the second is told, and its work is not overwritten unseen', async () => {
    const look = { calls: [{ tool: 'read_file', arguments: { path: 'a.txt' } }] };
    const write = (path: string, content: string) => ({ tool: 'write_file', arguments: { path, content } });
    const busy = { fault: { kind: 'status', status: 429, retryAfter: '1' } } as const;
    const second = [{ calls: [write('a.txt', 'of the second'), write('second-is-done', '')] }];
    // The first one is kept waiting until the second is done.
    const first = () => [look, isSecondDone() ? { calls: [write('a.txt', 'of the first')] } : busy];
    const script: Script = ({ messages, position }) =>
      (JSON.stringify(messages[1]).includes('the second') ? second : first())[position] ?? claim;
    await using scenario = await openScenario(script, { files: { 'a.txt': 'before' } });
    const isSecondDone = () => existsSync(join(scenario.workspace, 'second-is-done'));
    const handle = await scenario.start({ budgets: { retries: null } }, { approve: 'all' });
    await scenario.server.until((requests) => requests.length === 2);
    const told = await runCli(['run', '--goal', 'I am the second', '--approve', 'all', '--home', scenario.home], {
      environment: scenario.environment,
      directory: scenario.workspace,
    });
    expect([told.exitCode, told.stdout]).toEqual([
      0,
      expect.stringContaining(`note: ${handle.runId} is at work in the same workspace`),
    ]);
    expect((await handle.result).outcome.kind).toBe('finished');
    expect(scenario.read('a.txt')).toBe('of the second');
    expect(JSON.stringify(scenario.messages(-1))).toContain('a.txt was changed since you looked at it');
  });

  it('that drives a run keeps it: a second driver is told who has it, and changes nothing', async () => {
    await using scenario = await openScenario([{ ...claim, fault: { kind: 'stall-after-headers' } }]);
    const handle = await scenario.start();
    await scenario.server.until((requests) => requests.length === 1);
    const failure = await readFailure(['resume', handle.runId, '--home', scenario.home], scenario);
    expect(failure).toMatchObject({ exitCode: 2, told: 2, kind: 'invalid', code: 'run-owned' });
    expect(failure.stderr).toContain(`process ${process.pid} drives it`);
    expect(scenario.server.requests.length).toBe(1);
    handle.interrupt('SIGTERM');
    expect((await handle.result).outcome.kind).toBe('interrupted');
  });
});
