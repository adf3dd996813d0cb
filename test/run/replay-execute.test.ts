// A replay that executes runs the tools and checks of a recorded run again, in a copy of the workspace as it was at the
// beginning: with the recorded replies and answers, and without touching anything of the person's.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ApprovalRequest, Execution, Replay, RunId } from '../../src/engine/index.ts';
import { findMarked } from '../sandbox/hostile/find-marked.ts';
import { openScenario, type Scenario, type ScenarioContract } from '../support/open-scenario.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import type { Script } from '../support/scripted-model-script.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';
import { containment, spawn, toTreeScript } from '../support/tree-script.ts';
import { startWebServer } from '../support/web-server.ts';

const call = (tool: string, args: Record<string, unknown>) => ({ tool, arguments: args });
const read = call('read_file', { path: 'a.txt' });
const edit = (from: string, to: string) => call('edit_file', { path: 'a.txt', old: from, new: to });
const write = (path: string, content: string) => call('write_file', { path, content });
const shell = (command: string) => call('shell', { command });
const claim = { text: 'Done.' };
const actor = 'person:ada';

const files = {
  'a.txt': 'one\n',
  '.env': 'KEY=value\n',
  work: '#!/bin/sh\necho more >> a.txt\necho done > done.txt\npwd\n',
};
const contract: ScenarioContract = {
  verification: { kind: 'command', argv: ['test', '-e', 'done.txt'], expectExit: 0 },
};

/** Reads side by side, an edit, what is denied and what cannot be done, a failing check, and a command with changes. */
const story: Script = [
  { calls: [read, call('list_dir', { path: '.' })] },
  { calls: [edit('one', 'two'), call('read_file', { path: '.env' }), edit('nowhere', 'x')] },
  claim,
  { calls: [shell('./work')] },
  claim,
];

async function open(script: Script): Promise<Scenario> {
  const scenario = await openScenario(script, { files });
  chmodSync(join(scenario.workspace, 'work'), 0o755);
  return scenario;
}

/** Everything in a directory, with what it holds. */
function readTree(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const stats = statSync(join(directory, path));
      const held = stats.isFile() ? readFileSync(join(directory, path), 'utf8') : '';
      return `${path} ${stats.mode} ${stats.mtimeMs} ${held}`;
    });
}

/** A policy file with one rule that allows. */
const allowing = (act: string, pattern: string) => ({
  layers: [{ name: 'test', rules: [{ act, effect: 'allow', pattern }] }],
});

function runGit(directory: string, words: readonly string[]): string {
  const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'safe.directory=*'];
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8' };
  const child = spawnSync('git', [...person, ...words], { cwd: directory, env, encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`git ${words.join(' ')} failed: ${child.stderr}`);
  return child.stdout;
}

const probe = await open([]);
const isEnclosed = (await probe.engine.inspectSandbox()).sandbox.selected === 'bwrap';
await probe[Symbol.asyncDispose]();

const execute = ({ engine }: Scenario, runId: RunId): Promise<Replay> => engine.replayRun(runId, { mode: 'execute' });

const told = (part: Partial<Execution>): Execution => ({
  calls: 0,
  checks: 0,
  unrunCalls: 0,
  unrun: [],
  missed: [],
  untold: 0,
  ...part,
});

async function readQuestions({ engine }: Scenario, runId: RunId): Promise<ApprovalRequest[]> {
  const questions = await engine.listApprovals(runId);
  if (questions.length === 0) throw new Error('Nothing was asked');
  return questions;
}

describe('a replay that executes', () => {
  it('comes to what was recorded, asks no model, and leaves workspace and journal as they are', async () => {
    await using scenario = await open(story);
    const { result } = await scenario.run(contract, { approve: 'all' });
    expect(result.outcome.kind).toBe('met');
    const before = readTree(scenario.workspace);
    const events = await scenario.engine.readEvents(result.runId);
    const asked = scenario.server.requests.length;
    const replay = await execute(scenario, result.runId);
    expect(replay).toMatchObject({ divergence: null, events: events.length });
    expect(replay.execution).toEqual(told({ calls: 5, checks: 2 }));
    expect(readTree(scenario.workspace)).toEqual(before);
    expect(await scenario.engine.readEvents(result.runId)).toEqual(events);
    expect(scenario.server.requests).toHaveLength(asked);
  });

  it('runs reads, edits and searches again, and goes by absolute paths without reaching the original', async () => {
    const scenario = await open(({ position }) => {
      const { workspace } = scenario;
      const replies = [
        [shell(`cat ${workspace}/a.txt > ${workspace}/copy.txt; echo ${workspace} >> ${workspace}/copy.txt`)],
        [call('read_file', { path: 'copy.txt' }), call('grep', { pattern: 'one' }), call('find', { pattern: '*.txt' })],
        [call('edit_file', { path: 'copy.txt', old: workspace, new: `${workspace}/kept` })],
        [call('exec', { argv: ['ls', '-1', workspace] })],
      ];
      const calls = replies[position];
      return calls === undefined ? claim : { calls };
    });
    await using _scenario = scenario;
    const { result } = await scenario.run({}, { approve: 'all' });
    const replay = await execute(scenario, result.runId);
    expect(replay.divergence).toBeNull();
    expect(replay.execution).toEqual(told({ calls: 6 }));
  });

  it('goes by the recorded answers of people: a yes, other arguments, a remembered rule and a no', async () => {
    const script: Script = [
      { calls: [write('x/one.txt', '1'), write('x/two.txt', '2'), write('no.txt', 'n')] },
      { calls: [write('x/three.txt', '3'), shell('echo more >> a.txt')] },
      claim,
    ];
    await using scenario = await open(script);
    const { result } = await scenario.run();
    const [one, two, no] = await readQuestions(scenario, result.runId);
    const rewrite = { path: 'x/other.txt', content: '1' };
    await scenario.engine.decide({ request: one?.request ?? '', decision: 'approve', actor, rewrite });
    const remember = { scope: 'run', pattern: 'x/*' } as const;
    await scenario.engine.decide({ request: two?.request ?? '', decision: 'approve', actor, remember });
    await scenario.engine.decide({ request: no?.request ?? '', decision: 'deny', actor, reason: 'Not that.' });
    const { result: asking } = await scenario.resume(result.runId);
    const [command] = await readQuestions(scenario, asking.runId);
    await scenario.engine.decide({ request: command?.request ?? '', decision: 'approve', actor });
    const { result: changing } = await scenario.resume(result.runId);
    const [change] = await readQuestions(scenario, changing.runId);
    await scenario.engine.decide({ request: change?.request ?? '', decision: 'approve', actor });
    const { result: end } = await scenario.resume(result.runId);
    expect([end.outcome.kind, end.denied.length]).toEqual(['finished', 1]);
    const replay = await execute(scenario, result.runId);
    expect(replay.divergence).toBeNull();
    expect(replay.execution).toEqual(told({ calls: 4 }));
    expect(await scenario.engine.listApprovals(result.runId)).toEqual([]);
  });

  it('keeps denied what was denied while the run waited, also of what a command had left', async () => {
    const calls = [write('yes.txt', 'y'), write('no.txt', 'n'), shell('echo more > left.txt')];
    await using scenario = await open([{ calls }, claim]);
    const handle = await scenario.start({}, { approve: 'ask' });
    for await (const events of handle.events()) {
      for (const event of events) {
        if (event.type !== 'approval-request') continue;
        const decision = ['no.txt', 'left.txt'].includes(event.target) ? 'deny' : 'approve';
        await scenario.engine.decide({ request: event.request, decision, actor });
      }
    }
    const { denied, runId } = await handle.result;
    expect(denied.map(({ call }) => call).toSorted()).toEqual([1, 2]);
    const replay = await execute(scenario, runId);
    expect(replay.divergence).toBeNull();
    expect(replay.execution).toEqual(told({ calls: 1 }));
  });

  it('diverges where a command comes to something else, and names it', async () => {
    await using scenario = await open([
      { calls: [shell('head -c 8 /dev/urandom | od -An -tx1')] },
      { calls: [edit('one', 'two')] },
      claim,
    ]);
    const { result } = await scenario.run({}, { approve: 'all' });
    const { divergence, execution } = await execute(scenario, result.runId);
    expect(divergence).toMatchObject({
      step: 1,
      call: 0,
      type: 'call-finish',
      what: 'result of shell head -c 8 /dev/urandom | od -An -tx1',
      expected: expect.stringMatching(/^Exit code 0\.\nstdout:\n( [0-9a-f]{2}){8}/),
    });
    expect(execution).toEqual(told({}));
    expect(scenario.read('a.txt')).toBe('two\n');
  });

  it('diverges where a file is not what it was, and where what a command leaves is not', async () => {
    await using scenario = await open([
      { calls: [call('read_file', { path: 'b.txt' })] },
      { calls: [shell('cp b.txt c.txt')] },
      claim,
    ]);
    scenario.write('b.txt', 'b\n');
    const { result } = await scenario.run({}, { approve: 'all' });
    scenario.write('b.txt', 'other\n');
    const read = await execute(scenario, result.runId);
    expect(read.divergence).toMatchObject({ step: 1, what: 'result of read_file b.txt' });
    await using blind = await open([{ calls: [shell('cp b.txt c.txt')] }, claim]);
    blind.write('b.txt', 'b\n');
    const { result: copied } = await blind.run({}, { approve: 'all' });
    blind.write('b.txt', 'other\n');
    const left = await execute(blind, copied.runId);
    expect(left.divergence).toMatchObject({ step: 1, type: 'call-stage', what: 'changes of shell cp b.txt c.txt' });
  });

  it('diverges where an act needs an answer now that nobody has given, and asks nobody', async () => {
    await using scenario = await open([{ calls: [write('out/f.txt', 'f')] }, claim]);
    mkdirSync(join(scenario.workspace, 'out'));
    mkdirSync(join(scenario.workspace, 'x'));
    scenario.write('../policy.jsonc', JSON.stringify(allowing('write', 'out/*')));
    const { result } = await scenario.run({}, { policyFile: `${scenario.workspace}/../policy.jsonc` });
    expect(result.outcome.kind).toBe('finished');
    rmSync(join(scenario.workspace, 'out'), { recursive: true });
    symlinkSync('x', join(scenario.workspace, 'out'));
    const { divergence } = await execute(scenario, result.runId);
    expect(divergence).toMatchObject({
      step: 1,
      type: 'act-judged',
      what: 'verdict of write_file out/f.txt',
      expected: expect.stringContaining('write out/f.txt: effect ask'),
      got: expect.stringContaining('write out/f.txt: effect allow'),
    });
    expect(await scenario.engine.listApprovals()).toEqual([]);
  });

  it.skipIf(!isEnclosed)('takes what was recorded of calls that had a way out, and repeats none of them', async () => {
    await using page = await startWebServer((_, response) => response.end('hello'));
    const here = `127.0.0.1:${page.port}`;
    const fetching = call('fetch_url', { url: `http://${here}/` });
    const command = `curl -sS --noproxy "" http://${here}/ > page.txt`;
    const starting = call('process_start', { argv: ['sleep', '0'] });
    await using scenario = await open([
      { calls: [fetching] },
      { calls: [shell(command)] },
      { calls: [call('read_file', { path: 'page.txt' }), starting] },
      claim,
    ]);
    scenario.write('../policy.jsonc', JSON.stringify(allowing('net', here)));
    const { result } = await scenario.run({}, { approve: 'all', policyFile: `${scenario.workspace}/../policy.jsonc` });
    expect([scenario.read('page.txt'), page.requests.length]).toEqual(['hello', 2]);
    const replay = await execute(scenario, result.runId);
    expect(replay.divergence).toBeNull();
    const because = 'it had a way to the network, and what leaves is not repeated';
    expect(replay.execution).toEqual(
      told({
        calls: 1,
        unrunCalls: 3,
        unrun: [
          { agentId: 'root', step: 1, call: 0, tool: 'fetch_url', target: `http://${here}/`, because },
          { agentId: 'root', step: 2, call: 0, tool: 'shell', target: command, because },
          {
            agentId: 'root',
            step: 3,
            call: 1,
            tool: 'process_start',
            target: 'sleep 0',
            because: 'a process that goes on by itself says something else at each moment',
          },
        ],
      }),
    );
    expect(page.requests).toHaveLength(2);
  });

  it('makes commits again, which git names by when they are made', async () => {
    const add = call('git_add', { paths: ['.'] });
    const commit = call('git_commit', { message: 'Second' });
    const look = [call('git_status', {}), call('git_log', { count: 5 }), call('git_diff', {})];
    await using scenario = await open([
      { calls: [edit('one', 'two'), add] },
      { calls: [commit] },
      { calls: look },
      claim,
    ]);
    const git = (...words: string[]) => runGit(scenario.workspace, words);
    git('init', '--quiet', '--initial-branch=main');
    git('add', '--force', 'a.txt');
    git('commit', '--quiet', '--message', 'First');
    const { result } = await scenario.run({}, { approve: 'all' });
    const log = git('log', '--format=%H %s');
    const replay = await execute(scenario, result.runId);
    expect(replay.divergence).toBeNull();
    expect(replay.execution).toEqual(told({ calls: 6 }));
    expect(git('log', '--format=%H %s')).toBe(log);
  });

  it('runs again what other agents have done, each in its own place', async () => {
    const script = toTreeScript({
      root: [
        { calls: [spawn('Write one.'), spawn('Write two.')] },
        { calls: [call('list_dir', { path: '.' })] },
        claim,
      ],
      'root/1.0': [{ calls: [write('one', '1')] }, { calls: [shell('cat one')] }, claim],
      'root/1.1': [{ calls: [write('two', '2')] }, { calls: [call('read_file', { path: '.env' })] }, claim],
    });
    await using scenario = await open(script);
    const { result } = await scenario.run({ containment }, { approve: 'all' });
    expect(result.outcome.kind).toBe('finished');
    const replay = await execute(scenario, result.runId);
    expect(replay.divergence).toBeNull();
    expect(replay.execution).toEqual(told({ calls: 4 }));
  });

  it('goes back where the run was rewound, and on from there', async () => {
    await using scenario = await open([
      { calls: [edit('one', 'two')] },
      { calls: [shell('rm a.txt; mkdir d; echo x > d/x')] },
      claim,
      { calls: [read] },
      claim,
    ]);
    const { result } = await scenario.run({ budgets: { steps: 2 } }, { approve: 'all' });
    const aim = { kind: 'step', step: 1 } as const;
    await scenario.engine.rewindRun(result.runId, { actor, aim, mode: 'carry-out', foreign: 'leave' });
    const replay = await execute(scenario, result.runId);
    expect(replay.divergence).toBeNull();
    expect(replay.execution).toEqual(told({ calls: 2 }));
  });

  it.each(['before-rename', 'after-rename', 'after-act'])(
    'comes to the same for a run that was killed %s and went on',
    async (point) => {
      await using scenario = await open([{ calls: [edit('one', 'two')] }, { calls: [shell('./work')] }, claim]);
      const args = ['run', '--contract', '-', '--approve', 'all', '--home', scenario.home];
      const environment = { ...scenario.environment, IO_STUDIO_CRASH_POINT: point };
      const { signal } = await runCli(args, { environment, input: JSON.stringify(scenario.contract(contract)) });
      expect(signal).toBe('SIGKILL');
      const [run] = await scenario.engine.listRuns();
      if (run === undefined) throw new Error('There is no run');
      const { result } = await scenario.resume(run.runId);
      expect(result.outcome.kind).toBe('met');
      const replay = await execute(scenario, run.runId);
      expect(replay.divergence).toBeNull();
      expect(replay.execution).toEqual(told({ calls: 2, checks: 1 }));
    },
  );

  it('leaves a call alone of which nobody knows what became of it', async () => {
    await using scenario = await open([{ calls: [shell('./work')] }, claim]);
    scenario.write('../policy.jsonc', JSON.stringify(allowing('net', 'example.org:443')));
    const policy = ['--policy', `${scenario.workspace}/../policy.jsonc`];
    const args = ['run', '--contract', '-', '--approve', 'all', '--home', scenario.home, ...policy];
    const environment = { ...scenario.environment, IO_STUDIO_CRASH_POINT: 'before-act' };
    await runCli(args, { environment, input: JSON.stringify(scenario.contract()) });
    const [run] = await scenario.engine.listRuns();
    if (run === undefined) throw new Error('There is no run');
    const { result } = await scenario.resume(run.runId);
    expect(result.outcome.kind).toBe('finished');
    const { divergence, execution } = await execute(scenario, run.runId);
    expect(divergence).toBeNull();
    const because = 'it was interrupted, and nobody knows how far it came';
    const unrun = [{ agentId: 'root', step: 1, call: 0, tool: 'shell', target: './work', because }];
    expect(execution).toEqual(told({ unrunCalls: 1, unrun }));
  });

  it('is refused where no copy of one moment can be had, and then runs nothing', async () => {
    await using scenario = await open([{ calls: [edit('one', 'two')] }, claim]);
    const { result } = await scenario.run({}, { approve: 'all' });
    scenario.write('.git', 'gitdir: /elsewhere\n');
    await expect(execute(scenario, result.runId)).rejects.toMatchObject({ code: 'usage' });
    const other = `${scenario.workspace}-2`;
    mkdirSync(other);
    rmSync(scenario.workspace, { recursive: true });
    await expect(execute(scenario, result.runId)).rejects.toMatchObject({ code: 'workspace-unusable' });
    renameSync(other, scenario.workspace);
    await expect(execute(scenario, result.runId)).rejects.toMatchObject({ code: 'workspace-unusable' });
  });
});

describe('io-studio replay --execute', () => {
  /** Where a process makes its scratch copies, and those that are there. */
  function openScratchPlace() {
    const place = createTemporaryDirectory();
    chmodSync(place.path, 0o1777);
    const list = () => globSync('io-studio-*/*/workspace', { cwd: place.path });
    return { place, environment: { TMPDIR: place.path }, list };
  }

  it('tells what was run again, and exits with 0 where all comes to the same and with 1 where it does not', async () => {
    await using scenario = await open(story);
    const { result } = await scenario.run(contract, { approve: 'all' });
    const { place, environment, list } = openScratchPlace();
    using _place = place;
    const args = ['replay', result.runId, '--execute', '--home', scenario.home];
    const good = await runCli(args, { environment });
    expect(good).toMatchObject({ exitCode: 0, stderr: '' });
    expect(good.stdout).toMatch(
      /^run-\w{22} {2}\d+ events replayed: .* follow\n {2}run again {2}5 calls and 2 checks came to the same, in a copy that is gone now\n$/,
    );
    scenario.write('work', '#!/bin/sh\nexit 3\n'.padEnd(files.work.length, '#'));
    const bad = await runCli([...args, '--json'], { environment });
    expect([bad.exitCode, JSON.parse(bad.stdout)]).toMatchObject([
      1,
      { divergence: { step: 4, call: 0, what: 'end of shell ./work' }, execution: { calls: 4, checks: 1 } },
    ]);
    expect(list()).toEqual([]);
  });

  it('ends what it runs when it is stopped, and leaves no copy', async () => {
    await using scenario = await open([{ calls: [shell('test -e fast || sleep 4321.7')] }, claim]);
    scenario.write('fast', '');
    const { result } = await scenario.run({}, { approve: 'all' });
    rmSync(join(scenario.workspace, 'fast'));
    const { place, environment, list } = openScratchPlace();
    using _place = place;
    await using cli = startCli(['replay', result.runId, '--execute', '--home', scenario.home], { environment });
    await expect.poll(() => findMarked('4321.7').length, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(list()).not.toEqual([]);
    cli.kill('SIGINT');
    expect(await cli.end).toMatchObject({ exitCode: 130, stdout: '' });
    expect([list(), findMarked('4321.7')]).toEqual([[], []]);
  });
});
