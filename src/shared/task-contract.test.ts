import { describe, expect, it } from 'vitest';
import { Budgets, TaskContract } from './task-contract.ts';

const least = { goal: 'Fix it', workspace: '/w' };

/** Where a contract is refused, as dotted paths. */
function refusals(input: unknown): string[] {
  const { error } = TaskContract.safeParse(input);
  return (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => [...issue.path, key].join('.'))
      : [issue.path.join('.')],
  );
}

describe('a contract', () => {
  it('needs a goal and a workspace, and has defaults for the rest', () => {
    expect(TaskContract.parse(least)).toEqual({
      goal: 'Fix it',
      workspace: '/w',
      file: null,
      constraints: [],
      expectedOutput: null,
      verification: { kind: 'none' },
      budgets: { steps: 12, wallMs: null, tokens: null, costUsd: null, retries: 2, riskyActs: null },
      protect: [],
      plan: false,
      containment: null,
      recovery: null,
      model: null,
      provider: null,
    });
    expect(refusals({})).toEqual(['goal', 'workspace']);
  });

  it('is the same after a round trip over JSON', () => {
    const contract = TaskContract.parse({ ...least, budgets: { steps: null }, constraints: ['Keep it small.'] });
    expect(TaskContract.parse(JSON.parse(JSON.stringify(contract)))).toEqual(contract);
  });

  it.each(['/w', '/', 'C:\\work', 'd:/work'])('takes %s for an absolute workspace', (workspace) => {
    expect(refusals({ ...least, workspace })).toEqual([]);
  });

  it.each(['', 'w', './w', '../w', '~/w', 'C:w'])(
    'refuses %j, which is another place in every directory',
    (workspace) => {
      expect(new Set(refusals({ ...least, workspace }))).toEqual(new Set(['workspace']));
    },
  );

  it.each(['mcp'])('refuses the reserved name %s even when it says nothing', (name) => {
    for (const value of [{}, null, [], false]) expect(refusals({ ...least, [name]: value })).toEqual([name]);
  });

  it.each([
    ['a misspelt key', { ...least, budget: {} }, ['budget']],
    ['a misspelt limit, which would read as no limit', { ...least, budgets: { step: 3 } }, ['budgets.step']],
    ['a goal of blanks', { ...least, goal: ' \n' }, ['goal']],
    ['an empty constraint', { ...least, constraints: ['a', ''] }, ['constraints.1']],
    ['null for a list', { ...least, constraints: null }, ['constraints']],
    ['an empty pattern of what is protected', { ...least, protect: ['tests/*', ''] }, ['protect.1']],
    ['budgets that are no object', { ...least, budgets: null }, ['budgets']],
  ])('refuses %s', (_what, input, paths) => {
    expect(refusals(input)).toEqual(paths);
  });
});

describe('budgets', () => {
  const names = ['steps', 'wallMs', 'tokens', 'costUsd', 'retries', 'riskyActs'] as const;

  it.each(names)('take null for %s as no limit', (name) => {
    expect(Budgets.parse({ [name]: null })[name]).toBeNull();
  });

  it.each([
    ['steps', [0, -1, 1.5, '3']],
    ['wallMs', [0, -1, 0.5]],
    ['tokens', [0, -1, Number.POSITIVE_INFINITY]],
    ['costUsd', [0, -0.01, Number.NaN]],
    ['retries', [-1, 0.5]],
    ['riskyActs', [-1, 0.5]],
  ])('refuse for %s what is no limit of its kind', (name, values) => {
    expect(values.filter((value) => Budgets.safeParse({ [name]: value }).success)).toEqual([]);
  });

  it('may forbid every retry and every risky act', () => {
    expect(Budgets.parse({ retries: 0, riskyActs: 0 })).toMatchObject({ retries: 0, riskyActs: 0 });
  });
});
