import { linkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { ignoresLetterCase } from './ignores-letter-case.ts';

describe('ignoresLetterCase', () => {
  it.each([
    ['darwin', true],
    ['win32', true],
    ['linux', false],
  ] as const)('on %s is %j for a directory where another spelling is not there', async (platform, expected) => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a', '');
    expect(ignoresLetterCase(workspace.path, platform)).toBe(expected);
  });

  it('is told by the entries, as a folding volume may lie below a path that does not fold', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('Name.txt', '');
    // Two names of one file are what such a volume looks like from above.
    linkSync(join(workspace.path, 'Name.txt'), join(workspace.path, 'nAME.TXT'));
    expect(ignoresLetterCase(workspace.path, 'linux')).toBe(true);
  });

  it('takes the stricter answer where no entry tells', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('1', '');
    expect(ignoresLetterCase(workspace.path, 'linux')).toBe(true);
  });
});
