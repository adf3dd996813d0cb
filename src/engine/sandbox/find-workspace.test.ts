import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { findWorkspace } from './find-workspace.ts';
import { openPrivateBase } from './ownership/private-base.ts';

describe('a workspace', () => {
  it('is known by its real path', () => {
    using place = createTemporaryDirectory();
    mkdirSync(join(place.path, 'real'));
    symlinkSync('real', join(place.path, 'link'));
    const real = realpathSync(join(place.path, 'real'));
    expect(findWorkspace(join(place.path, 'link'))).toMatchObject({ kind: 'found', path: real, ownPaths: [] });
  });

  it('that holds what the engine keeps for all commands names that', () => {
    const base = openPrivateBase();
    const parent = dirname(base);
    expect(findWorkspace(parent)).toMatchObject({ kind: 'found', ownPaths: [relative(parent, base)] });
  });

  it
    .runIf(process.platform === 'linux')
    .each(['/', '/usr', '/etc', '/proc/self', '/proc/sys/net', '/sys/kernel', '/dev'])(
    'is none at %s, where the system or the kernel keeps its own (needs Linux)',
    (path) => {
      expect(findWorkspace(path)).toEqual({
        kind: 'not-started',
        stage: 'directory',
        reason: `${realpathSync(path)} holds the system's own programs or settings`,
      });
    },
  );

  it.runIf(process.platform === 'linux')('may lie in shared memory (needs Linux)', () => {
    expect(findWorkspace('/dev/shm')).toMatchObject({ kind: 'found', path: '/dev/shm' });
  });

  it('is none where nothing is, or a file', () => {
    using place = createTemporaryDirectory();
    const file = place.write('file', '');
    const reasons = [file, join(place.path, 'none')].map((path) => findWorkspace(path));
    expect(reasons).toEqual(
      [file, join(place.path, 'none')].map((path) => ({
        kind: 'not-started',
        stage: 'directory',
        reason: `there is no directory ${path}`,
      })),
    );
  });
});
