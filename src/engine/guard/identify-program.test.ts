import { chmodSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { identifyProgram } from './identify-program.ts';

const realGrep = realpathSync('/usr/bin/grep');

describe('identifyProgram', () => {
  it.each([
    ['grep', realGrep, true],
    ['/usr/bin/grep', realGrep, true],
    ['/bin/grep', realGrep, true],
    ['cd', null, true],
    ['no-such-program-here', null, false],
    ['/no/such/program', null, false],
    ['', null, false],
  ])('takes %j for the file %j, of the system: %j', (written, real, isSystem) => {
    expect(identifyProgram(written, { directory: '/', by: 'shell' })).toEqual({ written, real, isSystem });
  });

  it('never takes a file of the workspace for a program of the system, whatever its name', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('grep', '#!/bin/sh\n');
    chmodSync(join(workspace.path, 'grep'), 0o755);
    const real = join(workspace.path, 'grep');
    expect([
      identifyProgram('grep', { directory: workspace.path, by: 'shell' }),
      identifyProgram('./grep', { directory: workspace.path, by: 'shell' }),
    ]).toEqual([
      { written: 'grep', real: realGrep, isSystem: true },
      { written: './grep', real, isSystem: false },
    ]);
  });

  it('sees through a link, and knows a program of the system by any path that leads to it under its own name', async () => {
    await using workspace = await openGuardedWorkspace();
    symlinkSync('/usr/bin/grep', join(workspace.path, 'harmless'));
    symlinkSync('/usr/bin/grep', join(workspace.path, 'grep'));
    expect([
      identifyProgram('./harmless', { directory: workspace.path, by: 'shell' }),
      identifyProgram('./grep', { directory: workspace.path, by: 'shell' }),
    ]).toEqual([
      { written: './harmless', real: realGrep, isSystem: false },
      { written: './grep', real: realGrep, isSystem: true },
    ]);
  });

  it('finds a file for the name of a builtin where no shell is asked', () => {
    expect(identifyProgram('echo', { directory: '/', by: 'engine' })).toEqual({
      written: 'echo',
      real: realpathSync('/usr/bin/echo'),
      isSystem: true,
    });
  });

  it('says nothing of a relative program where nobody knows the directory', () => {
    expect(identifyProgram('./grep', { directory: null, by: 'shell' })).toEqual({
      written: './grep',
      real: null,
      isSystem: false,
    });
  });
});
