// Questions of a run, answered from other processes and at a terminal: the first answer counts, only for what was shown, and
// nothing starts without one.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { type CliEnd, type JsonLine, parseLine, parseLines, runCli, startCli } from '../support/run-cli.ts';
import { findTerminalObstacle, runInTerminal, type TerminalRun } from '../support/run-in-terminal.ts';
import type { ScriptedReply } from '../support/scripted-model-script.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';

const write = (path: string, content: string): ScriptedReply => ({
  calls: [{ tool: 'write_file', arguments: { path, content } }],
});
const claim: ScriptedReply = { text: 'Done.' };
const longText = Array.from({ length: 300 }, (_each, line) => `line ${line}\n`).join('');

function cli(scenario: Scenario, args: readonly string[], input = ''): Promise<CliEnd> {
  const { home, workspace, environment } = scenario;
  return runCli([...args, '--home', home], { environment, directory: workspace, input });
}

/** Runs until something is asked; returns the run and its questions. */
async function runToQuestion(scenario: Scenario): Promise<{ runId: string; requests: string[] }> {
  const end = await cli(scenario, ['run', '--goal', 'Do it.', '--json']);
  const result = parseLines(end.stdout).at(-1);
  const { kind, requests }: { kind?: string; requests?: string[] } = Object(result?.outcome);
  expect([end.exitCode, kind]).toEqual([3, 'awaitingApproval']);
  return { runId: String(result?.runId), requests: requests ?? [] };
}

async function listWaiting(scenario: Scenario): Promise<JsonLine[]> {
  return parseLines((await cli(scenario, ['approvals', '--json'])).stdout);
}

const readFailure = ({ exitCode, stdout, stderr }: CliEnd) => {
  const { code }: { code?: string } = Object(parseLines(stdout).at(-1)?.error);
  return { exitCode, code, stderr };
};

describe('a question', () => {
  it('outlives its process: it is listed, shown, answered from another one, and the run goes on from there', async () => {
    await using scenario = await openScenario([write('a.txt', 'x\n'), claim]);
    const stopped = await cli(scenario, ['run', '--goal', 'Do it.']);
    const [waiting] = await listWaiting(scenario);
    const request = String(waiting?.request);
    expect([stopped.exitCode, stopped.stdout]).toEqual([
      3,
      expect.stringContaining(
        `  look:     io-studio approvals ${request}\n  answer:   io-studio decide ${request} approve|deny\n`,
      ),
    ]);
    const list = await cli(scenario, ['approvals']);
    const shown = await cli(scenario, ['approvals', '1:0']);
    expect([list.exitCode, list.stdout]).toEqual([0, expect.stringContaining(`${request}  write a.txt\n`)]);
    expect(list.stdout).not.toContain(String(waiting?.digest));
    expect(shown.stdout).toMatch(new RegExp(`\\n {2}\\| x\\n {2}digest {6}${waiting?.digest}\\n$`));
    const decided = await cli(scenario, ['decide', '1:0', 'approve']);
    expect([decided.exitCode, decided.stdout]).toEqual([0, `approved ${request}\n`]);
    const resumed = await cli(scenario, ['resume', String(waiting?.runId)]);
    expect([resumed.exitCode, scenario.read('a.txt'), await listWaiting(scenario)]).toEqual([0, 'x\n', []]);
  });

  it('that is denied is an observation with the reason in it, and is listed at the end', async () => {
    await using scenario = await openScenario([write('a.txt', 'x'), claim]);
    const { runId, requests } = await runToQuestion(scenario);
    await cli(scenario, ['decide', String(requests[0]), 'deny', '--reason', 'Write b.txt instead.']);
    const resumed = await cli(scenario, ['resume', runId]);
    expect(resumed.exitCode).toBe(0);
    expect(resumed.stdout).toMatch(/\n {2}denied: {3}write_file a\.txt in step 1: .*Write b\.txt instead\./);
    expect(JSON.stringify(scenario.messages(-1))).toContain('Write b.txt instead.');
    expect(() => scenario.read('a.txt')).toThrow('ENOENT');
  });

  it('that is put off still waits', async () => {
    await using scenario = await openScenario([write('a.txt', 'x'), claim]);
    const { requests } = await runToQuestion(scenario);
    const end = await cli(scenario, ['decide', String(requests[0]), 'defer']);
    expect([end.exitCode, (await listWaiting(scenario)).map(({ request }) => request)]).toEqual([0, requests]);
  });

  it('with long content is approved only with the digest at the end of it', async () => {
    await using scenario = await openScenario([write('a.txt', longText), claim]);
    const { runId, requests } = await runToQuestion(scenario);
    const request = String(requests[0]);
    expect(readFailure(await cli(scenario, ['decide', request, 'approve', '--json']))).toEqual({
      exitCode: 2,
      code: 'usage',
      stderr: expect.stringMatching(/long content \(text, 300 lines, .*\n.*the digest stands at its end/),
    });
    const shown = (await cli(scenario, ['approvals', request])).stdout;
    const digest = /digest {6}([0-9a-f]{64})\n$/.exec(shown)?.[1] ?? '';
    expect([shown.split('\n').filter((line) => line.startsWith('  | ')).length, shown.split(digest).length]).toEqual([
      300, 2,
    ]);
    expect((await cli(scenario, ['decide', request, 'approve', '--digest', digest])).exitCode).toBe(0);
    expect([(await cli(scenario, ['resume', runId])).exitCode, scenario.read('a.txt')]).toEqual([0, longText]);
  });

  it('with long content may be denied unread', async () => {
    await using scenario = await openScenario([write('a.txt', longText), claim]);
    const { requests } = await runToQuestion(scenario);
    expect((await cli(scenario, ['decide', String(requests[0]), 'deny'])).exitCode).toBe(0);
  });

  it('is carried out as it was rewritten, and the model is told', async () => {
    await using scenario = await openScenario([write('a.txt', 'x'), claim]);
    using files = createTemporaryDirectory();
    const { runId, requests } = await runToQuestion(scenario);
    const file = files.write('other.json', JSON.stringify({ path: 'a.txt', content: 'y' }));
    const decided = await cli(scenario, ['decide', String(requests[0]), 'approve', '--rewrite', file]);
    expect([decided.exitCode, decided.stderr]).toEqual([0, '']);
    expect([(await cli(scenario, ['resume', runId])).exitCode, scenario.read('a.txt')]).toEqual([0, 'y']);
  });

  it('whose answer is remembered for the workspace is not asked again there (anthropics/claude-code#69042)', async () => {
    await using scenario = await openScenario([write('src/a.txt', 'x'), claim]);
    const { runId, requests } = await runToQuestion(scenario);
    const decided = await cli(scenario, ['decide', String(requests[0]), 'approve', '--remember', 'project']);
    const [, file = ''] = /remembered \(project, (.*)\): allow write "src\/a\.txt"\n/.exec(decided.stdout) ?? [];
    expect([decided.exitCode, decided.stderr, file.startsWith(join(scenario.home, 'projects/'))]).toEqual([
      0,
      '',
      true,
    ]);
    expect(readFileSync(file, 'utf8')).toContain('src/a.txt');
    expect((await cli(scenario, ['resume', runId])).exitCode).toBe(0);
    scenario.write('src/a.txt', 'something else');
    const again = await cli(scenario, ['run', '--goal', 'Do it again.', '--approve', 'deny']);
    const trace = parseLines((await cli(scenario, ['trace', String(/^run-\S+/.exec(again.stdout)), '--json'])).stdout);
    const judged = trace.filter(({ type, act }) => type === 'act-judged' && act === 'write');
    expect(judged.map(({ effect, origin }) => [effect, origin])).toEqual([['allow', 'project']]);
  });
});

describe('a plan', () => {
  const plan = { calls: [{ tool: 'propose_plan', arguments: { plan: 'Write a.txt.\nThen look at it.' } }] };

  it('waits before anything is written, is shown whole, and a no with a reason corrects it', async () => {
    await using scenario = await openScenario([plan, plan, write('a.txt', 'x'), claim]);
    const contract = JSON.stringify(scenario.contract({ plan: true }));
    const stopped = await cli(scenario, ['run', '--contract', '-', '--approve', 'defer'], contract);
    expect([stopped.exitCode, stopped.stdout]).toEqual([
      3,
      expect.stringMatching(/WAITING {2}A plan waits for a person\.\n.*\n {2}look: {5}io-studio approvals --run /),
    ]);
    const [first] = await listWaiting(scenario);
    const shown = await cli(scenario, ['approvals', String(first?.request)]);
    expect(shown.stdout).toContain('  | Write a.txt.\n  | Then look at it.\n');
    await cli(scenario, ['decide', String(first?.request), 'deny', '--reason', 'Look first.']);
    expect((await cli(scenario, ['resume', String(first?.runId)])).exitCode).toBe(3);
    expect(JSON.stringify(scenario.messages(-1))).toContain('Look first.');
    const [second] = await listWaiting(scenario);
    await cli(scenario, ['decide', String(second?.request), 'approve']);
    expect((await cli(scenario, ['resume', String(second?.runId), '--approve', 'all'])).exitCode).toBe(0);
    expect(scenario.read('a.txt')).toBe('x');
  });
});

describe('an answer that is no good', () => {
  const rows: readonly [title: string, args: readonly string[], code: string, says: RegExp][] = [
    ['to a question nobody asked', ['9:9', 'approve'], 'approval-unknown', /9:9/],
    ['for another content', ['1:0', 'approve', '--digest', '0'.repeat(64)], 'approval-changed', /digest/],
    ['with a digest that is anybody’s', ['1:0', 'approve', '--digest', ''], 'approval-changed', /digest/],
    ['with arguments that are no JSON', ['1:0', 'approve', '--rewrite', '-'], 'rewrite-invalid', /standard input/],
    [
      'that would be remembered in the repository',
      ['1:0', 'approve', '--remember', 'repository'],
      'usage',
      /file of the workspace/,
    ],
    ['that would allow everything', ['1:0', 'approve', '--remember', 'user:*'], 'remember-refused', /\*/],
    ['that would allow something else', ['1:0', 'approve', '--remember', 'user:b.txt'], 'remember-refused', /b\.txt/],
  ];

  it.each(rows)('%s is refused by name, and changes nothing', async (_title, args, code, says) => {
    await using scenario = await openScenario([write('a.txt', 'x'), claim]);
    const { requests } = await runToQuestion(scenario);
    const before = await listWaiting(scenario);
    const failure = readFailure(await cli(scenario, ['decide', ...args, '--json']));
    expect(failure).toEqual({ exitCode: 2, code, stderr: expect.stringMatching(says) });
    expect(failure.stderr).not.toContain(String(before[0]?.digest)); // It stands at the end of the content alone.
    expect([before.map(({ request }) => request), await listWaiting(scenario)]).toEqual([requests, before]);
  });

  it('because somebody was first is told who and when', async () => {
    await using scenario = await openScenario([write('a.txt', 'x'), claim]);
    const { requests } = await runToQuestion(scenario);
    const request = String(requests[0]);
    await cli(scenario, ['decide', request, 'deny']);
    expect(readFailure(await cli(scenario, ['decide', request, 'approve', '--json']))).toEqual({
      exitCode: 2,
      code: 'approval-answered',
      stderr: expect.stringMatching(/answered with deny by person:\S+@process at \d{4}-/),
    });
  });
});

describe('a run that waits for answers from elsewhere', () => {
  it('goes on as soon as another process has answered', async () => {
    await using scenario = await openScenario([write('a.txt', 'x'), claim]);
    const { home, workspace, environment } = scenario;
    const args = ['run', '--goal', 'Do it.', '--approve', 'ask', '--json', '--home', home];
    await using run = startCli(args, { environment, directory: workspace });
    const asked = parseLine(await run.untilLine((line) => parseLine(line).type === 'approval-request'));
    expect((await cli(scenario, ['decide', String(asked.request), 'approve'])).exitCode).toBe(0);
    expect([(await run.end).exitCode, scenario.read('a.txt')]).toEqual([0, 'x']);
  });

  it('is seen by whoever watches: the question when it comes, and the answer with its actor', async () => {
    await using scenario = await openScenario([write('a.txt', 'x'), claim]);
    const { home, workspace, environment } = scenario;
    await using watch = startCli(['approvals', '--watch', '--json', '--home', home], {
      environment,
      directory: workspace,
    });
    const { requests } = await runToQuestion(scenario);
    const isAbout = (line: string, answered: boolean) => {
      const { request, answer } = parseLine(line);
      return request === requests[0] && (answer !== null) === answered;
    };
    await watch.untilLine((line) => isAbout(line, false));
    await cli(scenario, ['decide', String(requests[0]), 'deny']);
    const line = parseLine(await watch.untilLine((each) => isAbout(each, true)));
    expect(line.answer).toMatchObject({ decision: 'deny', actor: expect.stringMatching(/^person:/) });
    watch.kill('SIGINT');
    expect((await watch.end).exitCode).toBe(130);
  });

  it('is not watched any longer than somebody reads', async () => {
    await using scenario = await openScenario([write('a.txt', 'x'), write('b.txt', 'x'), claim]);
    const { home, workspace, environment } = scenario;
    await using watch = startCli(['approvals', '--watch', '--home', home], { environment, directory: workspace });
    await watch.untilLine(() => true);
    watch.closeOutput();
    await runToQuestion(scenario);
    expect((await watch.end).exitCode).toBe(0);
  });
});

const obstacle = findTerminalObstacle();

describe.skipIf(obstacle !== null)(`a run at a terminal (${obstacle ?? 'of script'})`, () => {
  function start(scenario: Scenario): TerminalRun {
    const entry = join(import.meta.dirname, '../../src/cli/index.ts');
    const line = `'${process.execPath}' '${entry}' run --goal 'Do it.' --home '${scenario.home}'`;
    return runInTerminal(line, { directory: scenario.workspace, environment: scenario.environment });
  }

  it('asks there, and goes on with the answer', async () => {
    await using scenario = await openScenario([write('a.txt', 'x'), claim]);
    await using run = start(scenario);
    await run.untilShown('[y]es [n]o');
    expect(() => scenario.read('a.txt')).toThrow('ENOENT');
    await run.untilShown('[d]efer: ');
    run.type('y\n');
    await run.untilShown('FINISHED');
    expect([await run.exitCode, scenario.read('a.txt')]).toEqual([0, 'x']);
    expect(run.shown()).toMatch(/approved by person:\S+@terminal/);
  });

  it('never takes Ctrl-D for a yes; the run can be stopped and answered later', async () => {
    await using scenario = await openScenario([write('a.txt', 'x'), claim]);
    await using run = start(scenario);
    await run.untilShown('[d]efer: ');
    run.type('\u0004');
    await run.untilShown('deferred run-');
    run.type('\u0003');
    expect(await run.exitCode).not.toBe(0);
    expect(() => scenario.read('a.txt')).toThrow('ENOENT');
    expect((await listWaiting(scenario)).length).toBe(1);
  });

  it('says who was first when somebody answers elsewhere meanwhile', async () => {
    await using scenario = await openScenario([write('a.txt', 'x'), claim]);
    await using run = start(scenario);
    await run.untilShown('[d]efer: ');
    expect((await cli(scenario, ['decide', '1:0', 'approve'])).exitCode).toBe(0);
    await run.untilShown('Already approved by person:');
    expect([await run.exitCode, scenario.read('a.txt')]).toEqual([0, 'x']);
  });
});
