import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { defaultPolicy } from '../policy/default-policy.ts';
import type { Rule } from '../policy/policy.ts';
import { bindWorkspace } from './bind-workspace.ts';
import { openWorkspaceRoot } from './open-workspace-root.ts';

async function bind(files: readonly string[], rules: readonly Rule[], permitted: 'allow' | 'ask' = 'allow') {
  await using workspace = await openGuardedWorkspace();
  for (const file of files) workspace.write(file, 'x');
  symlinkSync('a', join(workspace.path, 'CLAUDE.md'));
  const layers = [...defaultPolicy.layers, { name: 'test', origin: 'user', rules, remedy: '' }] as const;
  const stance = { ...workspace.stance, policy: { ...defaultPolicy, layers } };
  const root = openWorkspaceRoot(workspace.path, workspace.home);
  try {
    const plan = await bindWorkspace(root, await workspace.guard.hidden(stance), { stance, permitted });
    if (plan.kind === 'shut') return plan.because;
    const { isReadOnly, covers, manifest, uncovered } = plan;
    const shown = covers.map(({ path, access }) => `${access} ${path}`).sort();
    return { isReadOnly, covers: shown, compared: [...manifest.entries.keys()].sort(), uncovered };
  } finally {
    root.close();
  }
}

const allow = (pattern: string): Rule => ({ act: 'write', effect: 'allow', pattern });

describe('how much of the workspace a process may write', () => {
  it('is nothing where every write asks', async () => {
    expect(await bind(['a'], [])).toBe('no rule allows writing to it without asking');
  });

  it('is what asks too, but for what git keeps, where somebody has answered in advance', async () => {
    expect(await bind(['a', '.env', 'package.json', '.git/config', 'b/.git'], [], 'ask')).toEqual({
      isReadOnly: false,
      covers: ['read .git'],
      compared: ['CLAUDE.md', 'a', 'b', 'b/.git', 'package.json'],
      uncovered: [],
    });
  });

  it('leaves out what is protected, and tells of links that no mount can lie on', async () => {
    const files = ['a', '.env', 'in/package.json', 'node_modules/x/y', '.git/config'];
    expect(await bind(files, [allow('*')])).toEqual({
      isReadOnly: false,
      covers: ['read .git', 'read in/package.json', 'read node_modules'],
      compared: ['CLAUDE.md', 'a', 'in'],
      uncovered: ['CLAUDE.md'],
    });
  });

  it('is parts of it where the rest is shut, and parts of those may be shut again', async () => {
    const rules = [allow('src/*'), allow('docs/one.md'), { ...allow('src/gen/*'), effect: 'ask' } as const];
    const files = ['a', 'src/b', 'src/gen/c', 'docs/one.md', 'docs/two.md'];
    expect(await bind(files, rules)).toEqual({
      isReadOnly: true,
      covers: ['read src/gen', 'write docs/one.md', 'write src'],
      compared: ['docs/one.md', 'src/b'],
      uncovered: [],
    });
  });
});
