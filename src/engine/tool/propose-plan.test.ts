import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { createTools } from './create-tools.ts';
import { proposePlan } from './propose-plan.ts';

describe('propose_plan', () => {
  it('does nothing but tell that the plan was approved', async () => {
    await using workspace = await openGuardedWorkspace();
    expect(await workspace.call('propose_plan', { plan: 'First look.\nThen write.' })).toEqual({
      status: 'ok',
      text: 'The plan was approved; go on.',
    });
  });

  it('needs no act, and stands in a trace by its first line', () => {
    const plan = { plan: 'First look.\nThen write.' };
    expect([proposePlan.acts(plan), proposePlan.target(plan)]).toEqual([[], 'First look.']);
  });

  it('refuses an empty plan', async () => {
    await using workspace = await openGuardedWorkspace();
    expect(await workspace.call('propose_plan', { plan: ' \n' })).toMatchObject({ status: 'unusable' });
  });
});

describe('createTools', () => {
  it('has no tool for what a run may not do, and changes the order of none', () => {
    const git = ['status', 'diff', 'log', 'add', 'commit', 'branch', 'worktree'].map((name) => `git_${name}`);
    const processes = ['start', 'read', 'write', 'signal', 'end', 'list'].map((name) => `process_${name}`);
    const commandTools = ['exec', 'shell', ...git, ...processes];
    const none = { commands: false, network: false, plan: false, agents: false };
    const names = (choice: Partial<typeof none>) => [...createTools({ ...none, ...choice }).keys()].slice(6);
    expect([names({}), names({ commands: true }), names({ network: true }), names({ plan: true })]).toEqual([
      [],
      commandTools,
      ['fetch_url'],
      ['propose_plan'],
    ]);
    expect(names({ commands: true, network: true, plan: true })).toEqual([
      ...commandTools,
      'fetch_url',
      'propose_plan',
    ]);
  });
});
