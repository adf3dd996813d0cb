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
    const names = (commands: boolean, plan: boolean) => [...createTools({ commands, plan }).keys()].slice(6);
    expect([names(false, false), names(true, false), names(false, true), names(true, true)]).toEqual([
      [],
      ['run_command'],
      ['propose_plan'],
      ['run_command', 'propose_plan'],
    ]);
  });
});
