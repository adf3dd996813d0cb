// The tools of git in a whole run: what one yes covers, what is asked about all the same, and that both outlast a restart.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openScenario, type Scenario } from '../support/open-scenario.ts';
import type { ScriptedCall } from '../support/scripted-model-script.ts';

const add: ScriptedCall = { tool: 'git_add', arguments: { paths: ['.'] } };
const commit: ScriptedCall = { tool: 'git_commit', arguments: { message: 'Second\n\nBecause.' } };

const allowing = (...rules: object[]) => ({
  layers: [
    {
      name: 'test',
      rules: [
        { act: 'exec', effect: 'allow', pattern: 'git add *' },
        { act: 'exec', effect: 'allow', pattern: 'git commit *' },
        { act: 'exec', effect: 'allow', pattern: 'git switch *' },
        ...rules,
      ],
    },
  ],
});

async function open(policy: object, ...calls: ScriptedCall[]): Promise<Scenario> {
  const scenario = await openScenario(({ position }) => {
    const call = calls[position];
    return call === undefined ? { text: 'Done.' } : { calls: [call] };
  });
  git(scenario, 'init', '--quiet', '--initial-branch=main');
  git(scenario, 'config', 'user.name', 'Ada');
  git(scenario, 'config', 'user.email', 'ada@example.org');
  git(scenario, 'commit', '--quiet', '--allow-empty', '--message', 'First');
  scenario.write('a.txt', 'one\n');
  scenario.write('../policy.jsonc', JSON.stringify(policy));
  return scenario;
}

const settings = ({ workspace }: Scenario) => ({ policyFile: `${workspace}/../policy.jsonc` });

function git({ workspace }: Scenario, ...words: string[]): string {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  const child = spawnSync('git', ['-c', 'safe.directory=*', ...words], { cwd: workspace, env, encoding: 'utf8' });
  if (child.status !== 0) throw new Error(child.stderr);
  return child.stdout;
}

const subjects = (scenario: Scenario): string[] => git(scenario, 'log', '--format=%s').trim().split('\n');

describe('a commit in a run', () => {
  it('is made without a question where the commands are allowed, and the repository is whole', async () => {
    await using scenario = await open(allowing(), add, commit);
    const { result } = await scenario.run({}, settings(scenario));
    expect([result.outcome.kind, subjects(scenario), git(scenario, 'status', '--short')]).toEqual([
      'finished',
      ['Second', 'First'],
      '',
    ]);
    expect(git(scenario, 'fsck', '--strict')).toBe('');
  });

  it('takes one yes for the command and for what git keeps of it, also in another process', async () => {
    await using scenario = await open({}, add, commit);
    let { result } = await scenario.run({}, settings(scenario));
    for (const target of ['git add -- .', expect.stringMatching(/^git commit '--message=Second/)]) {
      const [asked, ...more] = await scenario.engine.listApprovals();
      expect([result.outcome.kind, asked?.target, more]).toEqual(['awaitingApproval', target, []]);
      await scenario.engine.decide({ request: asked?.request ?? '', decision: 'approve', actor: 'person:test' });
      ({ result } = await scenario.resume(result.runId));
    }
    expect([result.outcome.kind, subjects(scenario)]).toEqual(['finished', ['Second', 'First']]);
  });

  it('is asked about where a rule of the person asks, and not made where one denies', async () => {
    const rule = (effect: string) => allowing({ act: 'write', effect, pattern: '.git/logs/*' });
    await using asking = await open(rule('ask'), add, commit);
    await using denying = await open(rule('deny'), add, commit);
    expect((await asking.run({}, settings(asking))).result.outcome.kind).toBe('awaitingApproval');
    const { events } = await denying.run({}, settings(denying));
    const dropped = events.filter((event) => event.type === 'act-judged' && event.dropped);
    expect(dropped).toContainEqual(expect.objectContaining({ target: '.git/logs/HEAD', effect: 'deny' }));
    expect(git(denying, 'log', '-g', '--format=%s').trim()).toBe('First');
  });
});

describe('a switch to another branch in a run', () => {
  it('asks about the files that it changes and not about what git keeps, and holds over a restart', async () => {
    const change: ScriptedCall = { tool: 'git_branch', arguments: { action: 'switch', name: 'other' } };
    await using scenario = await open(allowing(), change);
    git(scenario, 'add', '.');
    git(scenario, 'commit', '--quiet', '--message', 'Second');
    git(scenario, 'branch', 'other', 'HEAD~1');
    const { result } = await scenario.run({}, settings(scenario));
    const [asked] = await scenario.engine.listApprovals();
    expect(asked?.details.acts.map(({ act, verdict }) => [act.target, verdict.effect, verdict.layer])).toEqual([
      ['.git/HEAD', 'allow', 'tool'],
      ['a.txt', 'ask', 'default'],
    ]);
    await scenario.engine.decide({ request: asked?.request ?? '', decision: 'approve', actor: 'person:test' });
    const resumed = await scenario.resume(result.runId);
    expect([resumed.result.outcome.kind, git(scenario, 'status', '--short', '--branch')]).toEqual([
      'finished',
      '## other\n',
    ]);
  });
});
