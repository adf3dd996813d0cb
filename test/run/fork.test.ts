// A fork goes on from where another run stood: with its conversation, in a workspace as it was then, and with a ledger and
// answers of its own. The original is not touched.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JournalEvent } from '../../src/engine/index.ts';
import { rootAgentId } from '../../src/shared/id.ts';
import { findPairingFaults } from '../support/find-pairing-faults.ts';
import { openScenario, type RunRecord, type Scenario } from '../support/open-scenario.ts';
import { runCli } from '../support/run-cli.ts';
import type { Script } from '../support/scripted-model-script.ts';

const read = { calls: [{ tool: 'read_file', arguments: { path: 'a.txt' } }] };
const edit = (from: string, to: string) => ({
  calls: [{ tool: 'edit_file', arguments: { path: 'a.txt', old: from, new: to } }],
});
const write = (path: string, content: string) => ({ calls: [{ tool: 'write_file', arguments: { path, content } }] });
const shell = (command: string) => ({ calls: [{ tool: 'shell', arguments: { command } }] });
const claim = { text: 'Done.' };

/** Steps 2, 3 and 4 change files; step 5 claims. */
const story: Script = [
  read,
  edit('one', 'two'),
  write('new/b.txt', 'b\n'),
  shell('./work'),
  claim,
  read,
  edit('two', 'three'),
  claim,
];
const files = { 'a.txt': 'one\n', 'kept.txt': 'kept\n', work: '#!/bin/sh\necho more >> a.txt; rm kept.txt; mkdir d\n' };

async function open(script: Script = story): Promise<{ scenario: Scenario; record: RunRecord }> {
  const scenario = await openScenario(script, { files });
  chmodSync(join(scenario.workspace, 'work'), 0o755);
  return { scenario, record: await scenario.run({}, { approve: 'all' }) };
}

const into = ({ workspace }: Scenario, name = 'fork') => {
  const directory = join(dirname(workspace), name);
  return { place: { kind: 'copy', directory } as const, directory };
};

const readIn = (directory: string, file: string): string => readFileSync(join(directory, file), 'utf8');

function runGit(directory: string, words: readonly string[]): string {
  const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'safe.directory=*'];
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8' };
  const child = spawnSync('git', [...person, ...words], { cwd: directory, env, encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`git ${words.join(' ')} failed: ${child.stderr}`);
  return child.stdout;
}

type Fork = Extract<JournalEvent, { type: 'run-fork' }>;

async function readFork(scenario: Scenario, runId: RunRecord['result']['runId']): Promise<Fork> {
  const fork = (await scenario.engine.readEvents(runId)).find((event) => event.type === 'run-fork');
  if (fork?.type !== 'run-fork') throw new Error('The run is no fork');
  return fork;
}

describe('a fork into a new directory', () => {
  it('holds the workspace as it was when the step was over, and the original keeps its own', async () => {
    const { scenario, record } = await open();
    await using _scenario = scenario;
    expect(record.result.outcome.kind).toBe('finished');
    const { place, directory } = into(scenario);
    const forked = await scenario.engine.forkRun(record.result.runId, { step: 2, place });
    expect(readIn(directory, 'a.txt')).toBe('two\n');
    expect(readIn(directory, 'kept.txt')).toBe('kept\n');
    expect(readdirSync(directory).sort()).toEqual(['a.txt', 'kept.txt', 'new', 'work']);
    expect(readdirSync(join(directory, 'new'))).toEqual([]);
    expect(statSync(join(directory, 'work')).mode & 0o777).toBe(0o755);
    expect(forked.files.map(({ path, fate }) => [path, fate]).sort()).toEqual([
      ['a.txt', 'restored'],
      ['d', 'removed'],
      ['kept.txt', 'restored'],
      ['new/b.txt', 'removed'],
    ]);
    expect(scenario.read('a.txt')).toBe('two\nmore\n');
    expect(existsSync(join(scenario.workspace, 'kept.txt'))).toBe(false);
  });

  it('goes on with the conversation of then, at no cost, and each request pairs its calls', async () => {
    const { scenario, record } = await open();
    await using _scenario = scenario;
    const { place, directory } = into(scenario);
    const before = scenario.server.requests.length;
    const asked = scenario.messages(2);
    const forked = await scenario.engine.forkRun(record.result.runId, { step: 2, place });
    expect(scenario.server.requests).toHaveLength(before);
    expect((await scenario.engine.readRun(forked.runId)).ledger.settled.inputTokens).toBe(0);
    const { result } = await scenario.resume(forked.runId, { approve: 'all' });
    expect(result.outcome.kind).toBe('finished');
    expect(scenario.messages(before)).toEqual(asked);
    for (let place = before; place < scenario.server.requests.length; place++) {
      expect(findPairingFaults(scenario.messages(place))).toEqual([]);
    }
    expect(result.usage.steps).toBe(3);
    expect(readIn(directory, 'a.txt')).toBe('two\nmore\n');
    const { spent, fromStep, from } = await readFork(scenario, forked.runId);
    expect([from, fromStep]).toEqual([record.result.runId, 2]);
    expect(spent.usage.inputTokens).toBeGreaterThan(0);
  });

  it('goes on at the last step with another goal, which the model is told behind all that was said', async () => {
    const { scenario, record } = await open();
    await using _scenario = scenario;
    const { place, directory } = into(scenario);
    const goal = 'Make it three.';
    const forked = await scenario.engine.forkRun(record.result.runId, { place, goal });
    expect(forked.step).toBe(5);
    const { result } = await scenario.resume(forked.runId, { approve: 'all' });
    const told = scenario.messages(-3).findLast(({ role }) => role === 'user');
    expect(String(told?.content)).toMatch(/From here on the task is another one\.\n\nTask:\nMake it three\./);
    expect(result.outcome.kind).toBe('finished');
    expect(readIn(directory, 'a.txt')).toBe('three\nmore\n');
    expect((await scenario.engine.readRun(forked.runId)).settings.title).toBe(goal);
  });

  it('takes along what somebody else has changed of other files, and puts back what they changed of these', async () => {
    const { scenario, record } = await open();
    await using _scenario = scenario;
    scenario.write('a.txt', 'mine\n');
    scenario.write('own.txt', 'mine too\n');
    symlinkSync('/etc/hostname', join(scenario.workspace, 'out'));
    const { place, directory } = into(scenario);
    await scenario.engine.forkRun(record.result.runId, { step: 1, place });
    expect([readIn(directory, 'a.txt'), readIn(directory, 'own.txt')]).toEqual(['one\n', 'mine too\n']);
    expect(scenario.read('a.txt')).toBe('mine\n');
  });

  it('never writes through a link that has come to lie where a directory was', async () => {
    const { scenario, record } = await open();
    await using _scenario = scenario;
    const outside = join(dirname(scenario.workspace), 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'b.txt'), 'not mine\n');
    const later = await scenario.engine.forkRun(record.result.runId, { step: 3, ...into(scenario, 'first') });
    // The directory of the run's file is a link now.
    rmSync(join(scenario.workspace, 'new'), { recursive: true });
    symlinkSync(outside, join(scenario.workspace, 'new'));
    expect(later.missed).toBe(0);
    const { place } = into(scenario, 'second');
    await scenario.engine.forkRun(record.result.runId, { step: 2, place });
    expect(readIn(outside, 'b.txt')).toBe('not mine\n');
  });

  it('is refused where the directory exists, lies in the original, or the step is not over; and leaves nothing', async () => {
    const { scenario, record } = await open();
    await using _scenario = scenario;
    const { runId } = record.result;
    const inside = { kind: 'copy', directory: join(scenario.workspace, 'fork') } as const;
    const taken = { kind: 'copy', directory: scenario.home } as const;
    const besides = readdirSync(dirname(scenario.workspace));
    await expect(scenario.engine.forkRun(runId, { place: inside })).rejects.toMatchObject({ code: 'usage' });
    await expect(scenario.engine.forkRun(runId, { step: 9, ...into(scenario) })).rejects.toMatchObject({
      code: 'usage',
      message: 'Step 9 of the run is not over, or there is none; those that are: 0 to 5.',
    });
    await expect(scenario.engine.forkRun(runId, { place: taken })).rejects.toMatchObject({
      code: 'home-overlaps-workspace',
    });
    expect(readdirSync(dirname(scenario.workspace))).toEqual(besides);
    expect(await scenario.engine.listRuns()).toHaveLength(1);
  });

  it('takes no answer, remembered rule or open question along', async () => {
    const asking = [write('x/one.txt', '1'), write('x/two.txt', '2'), claim];
    await using scenario = await openScenario(asking, { files: { 'a.txt': 'one\n' } });
    const { result } = await scenario.run();
    const [first] = await scenario.engine.listApprovals(result.runId);
    if (first === undefined) throw new Error('Nothing was asked');
    const remember = { scope: 'run', pattern: 'x/*' } as const;
    await scenario.engine.decide({ request: first.request, decision: 'approve', actor: 'person:ada', remember });
    await scenario.resume(result.runId);
    const { place } = into(scenario);
    const forked = await scenario.engine.forkRun(result.runId, { step: 1, place });
    const state = await scenario.engine.readRun(forked.runId);
    expect([state.remembered, state.riskyActs, state.settings.posture]).toEqual([[], 0, 'defer']);
    expect(await scenario.engine.listApprovals(forked.runId)).toEqual([]);
    const { result: again } = await scenario.resume(forked.runId);
    expect(again.outcome.kind).toBe('awaitingApproval');
  });

  it('keeps what the agent was shown in its label, and costs the journal its list alone', async () => {
    const { scenario, record } = await open();
    await using _scenario = scenario;
    const original = await scenario.engine.readRun(record.result.runId);
    const forked = await scenario.engine.forkRun(record.result.runId, into(scenario));
    const state = await scenario.engine.readRun(forked.runId);
    expect(state.agents[rootAgentId]?.label).toEqual(original.agents[rootAgentId]?.label);
    expect(state.agents[rootAgentId]?.context).toEqual(original.agents[rootAgentId]?.context);
    expect(state.agents[rootAgentId]?.contextBytes).toBe(original.agents[rootAgentId]?.contextBytes);
    expect(state.forkedFrom).toEqual({
      run: record.result.runId,
      step: 5,
      spent: { usage: original.ledger.settled, costUsd: null },
    });
  });
});

describe('a fork into a worktree', () => {
  it('has the files of then on a new branch, and what was not committed with them', async () => {
    const scenario = await openScenario(story, { files });
    await using _scenario = scenario;
    chmodSync(join(scenario.workspace, 'work'), 0o755);
    const git = (directory: string, ...words: string[]) => runGit(directory, words);
    git(scenario.workspace, 'init', '--quiet', '--initial-branch=main');
    git(scenario.workspace, 'add', '.');
    git(scenario.workspace, 'commit', '--quiet', '--message', 'First');
    const { result } = await scenario.run({}, { approve: 'all' });
    const directory = join(dirname(scenario.workspace), 'tree');
    const place = { kind: 'worktree', branch: 'try/one', directory } as const;
    const forked = await scenario.engine.forkRun(result.runId, { step: 2, place });
    expect(forked.missed).toBe(0);
    expect(readIn(directory, 'a.txt')).toBe('two\n');
    expect(git(directory, 'branch', '--show-current')).toBe('try/one\n');
    expect(git(directory, 'status', '--porcelain')).toBe(' M a.txt\n');
    expect(git(scenario.workspace, 'status', '--porcelain')).toBe(' M a.txt\n D kept.txt\n?? new/\n');
    expect(git(scenario.workspace, 'worktree', 'list')).toContain(directory);
    const again = scenario.engine.forkRun(result.runId, { step: 2, place: { ...place, directory: `${directory}-2` } });
    await expect(again).rejects.toMatchObject({
      code: 'workspace-unusable',
      message: expect.stringContaining('try/one'),
    });
    expect(existsSync(`${directory}-2`)).toBe(false);
    const { result: end } = await scenario.resume(forked.runId, { approve: 'all' });
    expect(end.outcome.kind).toBe('finished');
    // A copy of the worktree would have its index and branch in common with it.
    const copy = { kind: 'copy', directory: `${directory}-copy` } as const;
    await expect(scenario.engine.forkRun(forked.runId, { step: 2, place: copy })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('git in a copy of it would act on the index and branch of the original'),
    });
    expect(existsSync(copy.directory)).toBe(false);
  });
});

describe('a fork in the same workspace', () => {
  it('keeps the files as they are, and has the model told to read them again', async () => {
    const { scenario, record } = await open();
    await using _scenario = scenario;
    const forked = await scenario.engine.forkRun(record.result.runId, { step: 2, place: { kind: 'here' } });
    const state = await scenario.engine.readRun(forked.runId);
    expect(state.agents[rootAgentId]?.files).toEqual({});
    expect(scenario.read('a.txt')).toBe('two\nmore\n');
    const before = scenario.server.requests.length;
    await scenario.resume(forked.runId, { approve: 'all' });
    expect(String(scenario.messages(before).at(-1)?.content)).toMatch(/^The files of the workspace may have changed/);
  });
});

describe('a fork of a fork', () => {
  it('begins with all that the first one had taken along', async () => {
    const { scenario, record } = await open();
    await using _scenario = scenario;
    const first = await scenario.engine.forkRun(record.result.runId, { step: 2, ...into(scenario, 'first') });
    const second = await scenario.engine.forkRun(first.runId, { step: 0, ...into(scenario, 'second') });
    const [one, two] = await Promise.all([first, second].map(({ runId }) => scenario.engine.readRun(runId)));
    expect(two?.agents[rootAgentId]?.context).toEqual(one?.agents[rootAgentId]?.context);
    expect(two?.agents[rootAgentId]?.files).toEqual(one?.agents[rootAgentId]?.files);
  });
});

describe('io-studio fork', () => {
  it('makes the fork, says how to go on, and drives it at once with --run', async () => {
    const { scenario, record } = await open();
    await using _scenario = scenario;
    const { directory } = into(scenario);
    const { environment, home } = scenario;
    const base = ['fork', record.result.runId, '--at', '2', '--home', home];
    const told = await runCli([...base, '--into', directory], { environment });
    expect(told.exitCode).toBe(0);
    const list = async () => (await runCli(['runs', '--home', home])).stdout;
    expect(await list()).toMatch(/^run-\w{22} {2}\S+ \S+ {2}ready /);
    expect(told.stdout).toMatch(
      /^run-\w{22} {2}forked from step 2 of run-\w{22}\n.*\n.*at no cost: that had spent \d+ tokens\n {2}go on {6}io-studio resume run-/,
    );
    const driven = await runCli([...base, '--into', `${directory}-2`, '--run', '--approve', 'all', '--json'], {
      environment,
    });
    expect(driven.exitCode).toBe(0);
    expect(await list()).toMatch(/^run-\w{22} {2}\S+ \S+ {2}finished .*\nrun-\w{22} {2}\S+ \S+ {2}ready /);
    expect(readIn(`${directory}-2`, 'a.txt')).toBe('two\nmore\n');
    const wrong = await runCli(base, { environment });
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('--into DIR, --worktree BRANCH or --here'),
    ]);
  });
});
