import { symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTemporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { isEngineError } from '../../shared/engine-error.ts';
import { assertApart, resolveHome } from './resolve-home.ts';

describe('resolveHome', () => {
  const environment = { HOME: '/home/p', IO_STUDIO_HOME: '/from/environment', XDG_STATE_HOME: '/state' };

  it.each([
    ['what was given, before all else', '/given', environment, 'linux', '/given'],
    ['IO_STUDIO_HOME', null, environment, 'linux', '/from/environment'],
    ['the state directory of XDG', null, { ...environment, IO_STUDIO_HOME: '' }, 'linux', '/state/io-studio'],
    ['the state directory below HOME', null, { HOME: '/home/p' }, 'linux', '/home/p/.local/state/io-studio'],
    ['an XDG directory that is empty', null, { HOME: '/h', XDG_STATE_HOME: '' }, 'linux', '/h/.local/state/io-studio'],
    [
      'an XDG directory that is relative',
      null,
      { HOME: '/h', XDG_STATE_HOME: 's' },
      'linux',
      '/h/.local/state/io-studio',
    ],
    ['application support on macOS', null, { HOME: '/U/p' }, 'darwin', '/U/p/Library/Application Support/io-studio'],
    ['local application data on Windows', null, { LOCALAPPDATA: '/local' }, 'win32', '/local/io-studio'],
    ['the same without LOCALAPPDATA', null, { HOME: '/h', LOCALAPPDATA: '' }, 'win32', '/h/AppData/Local/io-studio'],
  ] as const)('goes by %s', (_what, given, variables, platform, expected) => {
    expect(resolveHome(given, variables, platform)).toBe(expected);
  });

  it('is absolute whatever was given', () => {
    expect(resolveHome('state', {}, 'linux')).toBe(resolve('state'));
    expect(resolveHome(null, {}, 'linux')).toBe(join(homedir(), '.local/state/io-studio'));
  });
});

describe('assertApart', () => {
  it.each([
    ['the same directory', 'a', 'a', true],
    ['the same directory with a slash behind it', 'a', 'a/', true],
    ['a home inside the workspace', 'a/home', 'a', true],
    ['a home deep inside it that does not exist yet', 'a/x/y/home', 'a', true],
    ['a home inside it whose name begins with two dots', 'a/..state', 'a', true],
    ['a workspace inside the home', 'a', 'a/runs/w', true],
    ['a workspace reached by a detour', 'a/home', 'b/../a', true],
    ['a home reached through a link', 'link/home', 'a', true],
    ['a home that is a link to the workspace', 'link', 'a', true],
    ['a workspace reached through a link', 'a/home', 'link', true],
    ['neighbours', 'a', 'b', false],
    ['a name that only begins alike', 'a/home', 'a/homework', false],
    ['the same the other way round', 'a/homework', 'a/home', false],
    ['a link that leads out of the workspace', 'b/out/home', 'b', false],
  ])('decides on %s', (_what, home, workspace, overlaps) => {
    using place = createTemporaryDirectory();
    for (const directory of ['a', 'b', 'c']) place.make(directory);
    symlinkSync(join(place.path, 'a'), join(place.path, 'link'));
    symlinkSync(join(place.path, 'c'), join(place.path, 'b/out'));
    const paths = [home, workspace].map((path) => `${place.path}/${path}`);
    expect(overlap(paths[0] ?? '', paths[1] ?? '')).toBe(overlaps);
  });

  it('refuses the root as a workspace: every home lies in it', () => {
    expect(overlap('/nowhere/home', '/')).toBe(true);
  });

  it('names both places and the way out', () => {
    expect(() => assertApart('/w/home', '/w')).toThrow(
      expect.objectContaining({
        code: 'home-overlaps-workspace',
        message: expect.stringMatching(/\(\/w\/home\).*\(\/w\)/),
        remedy: expect.stringContaining('--home'),
      }),
    );
  });
});

function overlap(home: string, workspace: string): boolean {
  try {
    assertApart(home, workspace);
    return false;
  } catch (error) {
    if (isEngineError(error) && error.code === 'home-overlaps-workspace') return true;
    throw error;
  }
}
