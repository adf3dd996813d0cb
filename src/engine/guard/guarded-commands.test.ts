import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GuardedWorkspace, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import type { Policy, Rule } from '../policy/policy.ts';

const policyOf = (...rules: Rule[]): Policy => ({
  layers: [{ name: 'own', origin: 'user', remedy: 'change it', rules }],
  defaults: { read: 'allow', write: 'ask', exec: 'ask', net: 'deny' },
});

/** What a command wrote, or why it was not run. */
async function run(workspace: GuardedWorkspace, line: string, permitted: 'allow' | 'ask' = 'ask') {
  const commands = workspace.guard.commands(workspace.stance);
  const end = await commands.run({ command: { line }, wallMs: 10_000, permitted }, new AbortController().signal);
  if (end.kind === 'refused') return end;
  return end.result.kind === 'exit' ? end.result.stdout.text.trim() : end.result;
}

describe('running a command', () => {
  it('starts in the workspace, in bash, with nothing of our environment', async () => {
    await using workspace = await openGuardedWorkspace();
    process.env.OPENROUTER_API_KEY = 'never-passed-on';
    try {
      const { environmentNames } = workspace.guard.commands(workspace.stance);
      const names = await run(workspace, 'compgen -e | sort');
      expect([await run(workspace, 'pwd'), await run(workspace, 'echo $BASH_VERSION')]).toEqual([
        expect.stringMatching(/\/workspace$/),
        expect.stringMatching(/^\d+\./),
      ]);
      expect(String(names).split('\n')).toEqual(expect.arrayContaining([...environmentNames]));
      expect(names).not.toContain('OPENROUTER_API_KEY');
    } finally {
      delete process.env.OPENROUTER_API_KEY;
    }
  });

  it('is refused where it asks and nobody was asked, and runs where somebody was', async () => {
    await using workspace = await openGuardedWorkspace(policyOf());
    expect([await run(workspace, 'echo hello', 'allow'), await run(workspace, 'echo hello', 'ask')]).toEqual([
      { kind: 'refused', because: expect.stringMatching(/must be asked for .*, and nobody was asked$/) },
      'hello',
    ]);
  });

  it('runs without a question what a rule allows', async () => {
    await using workspace = await openGuardedWorkspace(policyOf({ act: 'exec', effect: 'allow', pattern: 'echo' }));
    expect(await run(workspace, 'echo hello', 'allow')).toBe('hello');
  });

  it('is refused as a whole where one part is denied, whoever was asked', async () => {
    await using workspace = await openGuardedWorkspace(policyOf({ act: 'exec', effect: 'deny', pattern: 'rm' }));
    expect(await run(workspace, 'touch made; rm -rf made')).toEqual({
      kind: 'refused',
      because: expect.stringContaining('is denied by the rule "rm"'),
    });
    expect(await workspace.files.read('made', 10)).toMatchObject({ kind: 'missing' });
  });

  it('does not run in a directory that took the place of the workspace', async () => {
    await using workspace = await openGuardedWorkspace();
    renameSync(workspace.path, join(workspace.outside, 'moved'));
    mkdirSync(workspace.path);
    expect(await run(workspace, 'pwd')).toMatchObject({
      kind: 'refused',
      because: expect.stringContaining('is no longer the directory that the run works in'),
    });
  });

  it('ends at its time limit', async () => {
    await using workspace = await openGuardedWorkspace();
    const commands = workspace.guard.commands(workspace.stance);
    const options = { command: { line: 'sleep 60' }, wallMs: 100, permitted: 'ask' } as const;
    const end = await commands.run(options, new AbortController().signal);
    expect(end).toMatchObject({ kind: 'ran', result: { kind: 'cap', hit: { cap: 'wall' } } });
  });
});
