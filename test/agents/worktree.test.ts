// Agents that work in git worktrees of their own: what they have changed when they are done is made in the workspace, judged
// and compared like the changes of a command, and what was made for them goes again.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import { findOverlayObstacle } from '../support/overlay.ts';
import { startCli } from '../support/run-cli.ts';
import type { ScriptedCall, ScriptedReply } from '../support/scripted-model-script.ts';
import { containment, spawn, type TreeScript, toTreeScript, write } from '../support/tree-script.ts';

const obstacle = findOverlayObstacle();
if (obstacle !== null) console.log(`worktrees of agents: skipped, as ${obstacle}`);

const all = { approve: 'all' } as const;
const apart = { worktree: true };
const reply = (...calls: ScriptedCall[]): ScriptedReply => ({ calls });
const done: ScriptedReply = { text: 'Done.' };
const edit = (path: string, old: string, now: string): ScriptedCall => ({
  tool: 'edit_file',
  arguments: { path, old, new: now },
});
const read = (path: string): ScriptedCall => ({ tool: 'read_file', arguments: { path } });
const shell = (command: string): ScriptedCall => ({ tool: 'shell', arguments: { command } });

const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' };

/** A repository with one commit, and one file of the three changed since. */
async function openRepository(script: TreeScript): Promise<Scenario> {
  const scenario = await openScenario(toTreeScript(script), { files });
  git(scenario, 'init', '--quiet', '--initial-branch=main');
  git(scenario, 'add', '.');
  git(scenario, 'commit', '--quiet', '--message', 'First');
  scenario.write('c.txt', 'uncommitted\n');
  return scenario;
}

function git({ workspace }: Scenario, ...words: string[]): string {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8' };
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const child = spawnSync('git', [...who, ...words], { cwd: workspace, env, encoding: 'utf8' });
  if (child.status !== 0) throw new Error(`git ${words.join(' ')} failed: ${child.stderr}`);
  return child.stdout;
}

/** What there is of worktrees beside the workspace, and of branches beside the first. */
function listLeft(scenario: Scenario) {
  const above = `${scenario.home}-worktrees`;
  const runs = existsSync(above) ? readdirSync(above) : [];
  return {
    worktrees: git(scenario, 'worktree', 'list').trim().split('\n').length - 1,
    admin: existsSync(join(scenario.workspace, '.git/worktrees')),
    branches: git(scenario, 'branch', '--list', '--format=%(refname:short)')
      .trim()
      .split('\n')
      .filter((name) => name !== 'main'),
    directories: runs.flatMap((run) => readdirSync(join(above, run))),
  };
}

const nothing = { worktrees: 0, admin: false, branches: [], directories: [] };

/** What the calls of the last request of the root came to. */
const toldToRoot = (scenario: Scenario): string[] =>
  scenario.messages(-1).flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));

async function expectToFollow(scenario: Scenario): Promise<void> {
  for (const { runId } of await scenario.engine.listRuns()) {
    expect((await scenario.engine.replayRun(runId)).divergence).toBeNull();
  }
}

describe.runIf(obstacle === null)('agents with a worktree of their own', () => {
  it('begin with what the workspace holds, see nothing of each other, and what they have changed lands', async () => {
    await using scenario = await openRepository({
      root: [reply(spawn('Change a.', apart), spawn('Change b.', apart)), done],
      'root/1.0': [
        reply(read('a.txt'), read('c.txt')),
        reply(edit('a.txt', 'a', 'A')),
        reply(shell('mkdir d; echo new > d/e.txt; rm c.txt; ls')),
        done,
      ],
      'root/1.1': [reply(read('b.txt')), reply(edit('b.txt', 'b', 'B')), reply(shell('ls; cat a.txt')), done],
    });
    const { result } = await scenario.run({ containment }, all);
    expect(result.outcome).toEqual({ kind: 'finished', checked: false });
    expect(['a.txt', 'b.txt', 'd/e.txt'].map(scenario.read)).toEqual(['A\n', 'B\n', 'new\n']);
    expect(existsSync(join(scenario.workspace, 'c.txt'))).toBe(false);
    expect(toldToRoot(scenario)).toEqual([
      expect.stringMatching(/^root\/1\.0 ended[\s\S]*Changed in the workspace:[\s\S]*- changed a\.txt/),
      expect.stringMatching(/^root\/1\.1 ended[\s\S]*Changed in the workspace:\n- changed b\.txt$/),
    ]);
    expect(listLeft(scenario)).toEqual(nothing);
    await expectToFollow(scenario);
  });

  it('do not write over what was changed meanwhile: that is told with what differs, and the worktree is kept', async () => {
    await using scenario = await openRepository({
      root: [reply(spawn('Change a.', apart), spawn('Change a too.', apart)), done],
      'root/1.0': [reply(read('a.txt')), reply(edit('a.txt', 'a', 'first')), done],
      'root/1.1': [reply(read('a.txt')), reply(edit('a.txt', 'a', 'second'), write('other.txt', 'x')), done],
    });
    await scenario.run({ containment }, all);
    expect([scenario.read('a.txt'), scenario.read('other.txt')]).toEqual(['first\n', 'x']);
    const [, second = ''] = toldToRoot(scenario);
    expect(second).toContain('Not changed:\n- a.txt: somebody else has changed it meanwhile.');
    expect(second).toContain('-a\n+first');
    const [directory] = listLeft(scenario).directories;
    expect(listLeft(scenario)).toEqual({
      worktrees: 1,
      admin: true,
      branches: [expect.stringMatching(/^io-studio\/[^/]+\/root-1\.1$/)],
      directories: ['root-1.1'],
    });
    expect(second).toMatch(
      new RegExp(`Its worktree is kept as it is: ${scenario.home}-worktrees/[^/]+/${directory}/workspace`),
    );
    await expectToFollow(scenario);
  });

  it('leave out what may not be written, whoever has put it there', async () => {
    const plant = (scenario: Scenario) => {
      const [run = ''] = readdirSync(`${scenario.home}-worktrees`);
      writeFileSync(join(`${scenario.home}-worktrees`, run, 'root-1.0/workspace/b.txt'), 'planted\n');
    };
    const opened: Scenario[] = [];
    await using scenario = await openRepository({
      root: [reply(spawn('Change a.', apart)), done],
      'root/1.0': ({ position }) => {
        if (position === 0) return reply(write('new.txt', 'new'));
        for (const each of opened) plant(each);
        return done;
      },
    });
    opened.push(scenario);
    await scenario.run({ containment, protect: ['b.txt'] }, all);
    expect([scenario.read('b.txt'), scenario.read('new.txt')]).toEqual(['b\n', 'new']);
    expect(toldToRoot(scenario)[0]).toMatch(
      /Not taken over into the workspace:\n- b\.txt: [\s\S]*created new\.txt[\s\S]*Its worktree is kept/,
    );
    await expectToFollow(scenario);
  });

  it('are not merged when they have not done their task, and what they leave is named', async () => {
    await using scenario = await openRepository({
      root: [reply(spawn('Change a.', { ...apart, budgets: { steps: 1 } })), done],
      'root/1.0': [reply(write('new.txt', 'new'))],
    });
    await scenario.run({ containment }, all);
    expect(existsSync(join(scenario.workspace, 'new.txt'))).toBe(false);
    expect(toldToRoot(scenario)[0]).toMatch(
      /not done \(budget\)[\s\S]*Nothing was taken over\. Its worktree is kept as it is: /,
    );
    expect(listLeft(scenario).directories).toEqual(['root-1.0']);
    await expectToFollow(scenario);
  });

  it('are refused where there is no repository, to one that is not waited for, and in a worktree', async () => {
    const script = {
      root: [reply(spawn('Change a.', apart)), reply(spawn('Change a.', { ...apart, detached: true })), done],
    };
    await using scenario = await openScenario(toTreeScript(script), { files });
    await scenario.run({ containment }, all);
    expect(toldToRoot(scenario)).toEqual([
      'No agent was spawned: the workspace is no git repository.',
      expect.stringContaining('it cannot be detached'),
    ]);
    expect(existsSync(`${scenario.home}-worktrees`)).toBe(false);
    await using nested = await openRepository({
      root: [reply(spawn('Have a changed.', apart)), done],
      'root/1.0': [reply(spawn('Change a.', apart), spawn('Write.')), { text: 'Refused?' }],
      'root/1.0/1.1': [reply(write('below.txt', 'x')), done],
    });
    await nested.run({ containment }, all);
    expect(nested.read('below.txt')).toBe('x');
    expect(JSON.stringify(nested.server.requests.at(-2)?.body)).toContain('you work in a worktree yourself');
    expect(listLeft(nested)).toEqual(nothing);
  });

  it('are checked where they work', async () => {
    const verification = { kind: 'command', argv: ['grep', '-q', 'A', 'a.txt'] };
    await using scenario = await openRepository({
      root: [reply(spawn('Change a.', { ...apart, verification })), done],
      'root/1.0': [done, reply(read('a.txt')), reply(edit('a.txt', 'a', 'A')), done],
    });
    await scenario.run({ containment }, all);
    expect(scenario.read('a.txt')).toBe('A\n');
    expect(toldToRoot(scenario)[0]).toContain('its check holds.');
  });

  it('are put back with the call that had waited for them when the run is rewound, and only there', async () => {
    await using scenario = await openRepository({
      root: [reply(read('a.txt')), reply(spawn('Change a.', apart)), done],
      'root/2.0': [
        reply(read('a.txt')),
        reply(edit('a.txt', 'a', 'A')),
        reply(write('gone.txt', 'x')),
        reply(shell('rm gone.txt')),
        done,
      ],
    });
    const { result } = await scenario.run({ containment }, all);
    expect(scenario.read('a.txt')).toBe('A\n');
    const { files: putBack } = await scenario.engine.rewindRun(result.runId, {
      ...{ actor: 'ada', aim: { kind: 'step', step: 1 }, mode: 'carry-out', foreign: 'leave' },
    });
    expect(putBack.map(({ path, fate }) => `${path}: ${fate}`)).toEqual(['a.txt: restored']);
    expect(scenario.read('a.txt')).toBe('a\n');
  });

  it.each(['approve', 'deny'] as const)('have people asked about what is to be made of it: %s', async (decision) => {
    await using scenario = await openRepository({
      root: [reply(spawn('Change a.', apart)), done],
      'root/1.0': [reply(read('a.txt')), reply(edit('a.txt', 'a', 'A')), done],
    });
    const rules = [{ act: 'write', pattern: 'a.txt', effect: 'ask' }];
    scenario.write('../policy.jsonc', JSON.stringify({ layers: [{ name: 'test', rules }] }));
    const settings = { policyFile: `${scenario.workspace}/../policy.jsonc`, approve: 'defer' } as const;
    const asked: string[] = [];
    let { result } = await scenario.run({ containment }, settings);
    while (result.outcome.kind === 'awaitingApproval') {
      expect(scenario.read('a.txt')).toBe('a\n');
      for (const { request, agentId, act, target } of await scenario.engine.listApprovals()) {
        asked.push(`${agentId} ${act} ${target}`);
        const isMerge = asked.length === 3;
        await scenario.engine.decide({ request, decision: isMerge ? decision : 'approve', actor: 'person:test' });
      }
      ({ result } = await scenario.resume(result.runId, { approve: 'defer' }));
    }
    expect(result.outcome).toEqual({ kind: 'finished', checked: false });
    expect(asked).toEqual(['root exec Change a.', 'root/1.0 write a.txt', 'root write a.txt']);
    expect(scenario.read('a.txt')).toBe(decision === 'approve' ? 'A\n' : 'a\n');
    const [told = ''] = toldToRoot(scenario);
    expect(told).toMatch(
      decision === 'approve' ? /- changed a\.txt$/ : /None of the changes it left was made[\s\S]*Its worktree is kept/,
    );
    expect(listLeft(scenario).directories).toEqual(decision === 'approve' ? [] : ['root-1.0']);
    await expectToFollow(scenario);
  });

  it('are run again by a replay only where what they did is made in the workspace', async () => {
    await using scenario = await openRepository({
      root: [reply(spawn('Change a.', apart)), reply(read('a.txt')), done],
      'root/1.0': [reply(read('a.txt')), reply(edit('a.txt', 'a', 'A')), done],
    });
    const { result } = await scenario.run({ containment }, all);
    const { divergence, execution } = await scenario.engine.replayRun(result.runId, { mode: 'execute' });
    expect(divergence).toBeNull();
    expect(execution?.unrun.map(({ because }) => because)).toEqual(
      Array.from({ length: 2 }, () => 'its agent worked in a worktree of its own'),
    );
  });

  it.each([
    ['after-act:1', 'its worktree was made, and it is not there yet'],
    ['after-act:3', 'it has made its change'],
    ['between-changes:1', 'nothing of its changes is made'],
    ['after-rename:1', 'the repository knows half of it'],
    ['after-act:5', 'all of its changes are made'],
  ])('go on when the process is killed at %s: %s', async (point) => {
    await using scenario = await openRepository({
      root: [reply(spawn('Change a.', apart)), done],
      'root/1.0': [reply(read('a.txt')), reply(edit('a.txt', 'a', 'A')), reply(write('new.txt', 'new')), done],
    });
    await using cli = startCli(['run', '--contract', '-', '--approve', 'all', '--json', '--home', scenario.home], {
      environment: { ...scenario.environment, IO_STUDIO_CRASH_POINT: point },
      input: JSON.stringify(scenario.contract({ containment })),
    });
    expect((await cli.end).signal).toBe('SIGKILL');
    const [run] = await scenario.engine.listRuns();
    if (run === undefined) throw new Error('The run is not there');
    const { result } = await scenario.resume(run.runId, all);
    expect(result.outcome).toEqual({ kind: 'finished', checked: false });
    expect([scenario.read('a.txt'), scenario.read('new.txt')]).toEqual(['A\n', 'new']);
    expect(Object.keys((await scenario.engine.readRun(run.runId)).agents)).toEqual(['root', 'root/1.0']);
    expect(listLeft(scenario)).toEqual(nothing);
    await expectToFollow(scenario);
  });
});
