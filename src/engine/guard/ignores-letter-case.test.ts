import { linkSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GuardedWorkspace, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { openHeldDirectory } from '../sandbox/held-directory.ts';
import { ignoresLetterCase } from './ignores-letter-case.ts';

/** Asked of the workspace and `name`, whether that is there or not. */
function ask({ path }: GuardedWorkspace, name: string): boolean {
  const directory = openHeldDirectory(path);
  const stats = lstatSync(join(path, name), { bigint: true, throwIfNoEntry: false });
  const answer = ignoresLetterCase(directory, name, stats);
  directory.close();
  return answer;
}

describe('ignoresLetterCase', () => {
  it('is told by the name itself, as volumes and single directories differ', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('exact', '');
    workspace.write('Name.txt', '');
    // Two names of one file are what a folding directory looks like from above.
    linkSync(join(workspace.path, 'Name.txt'), join(workspace.path, 'nAME.TXT'));
    expect([ask(workspace, 'exact'), ask(workspace, 'Name.txt')]).toEqual([false, true]);
  });

  it('is told by the neighbours of a name that is not there, or that has no plain letter', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('exact', '');
    workspace.write('\u017f', '');
    expect([ask(workspace, '.ENV'), ask(workspace, '\u017f')]).toEqual([false, false]);
  });

  it('takes the stricter answer where nothing tells', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('1', '');
    expect(ask(workspace, '.ENV')).toBe(true);
  });

  it('does not look at all for a name that has one spelling', async () => {
    await using workspace = await openGuardedWorkspace();
    expect(ask(workspace, '2026-11-30_[1]')).toBe(false);
  });
});

describe('a path on a volume that ignores letter case', () => {
  it('is denied by the rule for its other spelling (tetsuo-ai/agenc-core#2126)', async () => {
    await using workspace = await openGuardedWorkspace({
      layers: [
        {
          name: 'own',
          origin: 'user',
          remedy: '',
          rules: [{ act: 'read', effect: 'deny', pattern: 'Work/Secret.txt' }],
        },
      ],
      defaults: { read: 'allow', write: 'ask', exec: 'ask', net: 'deny' },
    });
    workspace.write('WORK/SECRET.TXT', '');
    linkSync(join(workspace.path, 'WORK/SECRET.TXT'), join(workspace.path, 'WORK/secret.txt'));
    workspace.write('exact/SECRET.TXT', '');
    const judged = await Promise.all([
      workspace.judge({ kind: 'read', target: 'WORK/SECRET.TXT' }),
      workspace.judge({ kind: 'read', target: './WORK/../WORK//secret.txt' }),
      workspace.judge({ kind: 'read', target: 'exact/SECRET.TXT' }),
    ]);
    expect(judged.map(([{ act, verdict }]) => ['letterCase' in act && act.letterCase, verdict.effect])).toEqual([
      ['ignored', 'deny'],
      ['ignored', 'deny'],
      ['exact', 'allow'],
    ]);
  });
});
