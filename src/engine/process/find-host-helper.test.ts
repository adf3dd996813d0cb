import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findHelperIn, findHostHelper } from './find-host-helper.ts';

const isRoot = process.getuid?.() === 0;
const ordinary = 65534;

/** Below a directory that others cannot write, unlike the temporary one, and may enter. */
let base = '';
beforeEach(async () => {
  base = realpathSync(await mkdtemp(join(isRoot ? '/var/lib' : homedir(), '.find-host-helper-')));
  chmodSync(base, 0o755);
});
afterEach(() => rm(base, { recursive: true, force: true }));

function plant(directory: string, name = 'helper'): string {
  const path = join(base, directory);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, name), '#!/bin/sh\n', { mode: 0o755 });
  return path;
}

describe('a helper of the host', () => {
  it('is found by its real path, and the same whatever PATH says', () => {
    const path = process.env.PATH;
    process.env.PATH = plant('bin', 'perl');
    try {
      expect(findHostHelper('perl')).toBe(realpathSync('/usr/bin/perl'));
    } finally {
      process.env.PATH = path;
    }
  });

  it.runIf(isRoot)('comes from the first directory that has one (needs root)', () => {
    const [empty, first, second] = [join(base, 'none'), plant('first'), plant('second')];
    expect(findHelperIn([empty, first, second], 'helper')).toBe(join(first, 'helper'));
    expect(findHelperIn([empty], 'helper')).toBeNull();
  });

  it.runIf(isRoot)('is never one that others may write, nor one in a directory that they may (needs root)', () => {
    const spoilers: ((directory: string) => void)[] = [
      (directory) => chmodSync(join(directory, 'helper'), 0o775),
      (directory) => chmodSync(join(directory, 'helper'), 0o757),
      (directory) => chmodSync(directory, 0o777),
      (directory) => chmodSync(join(directory, '..'), 0o777),
    ];
    const good = plant('good');
    const found = spoilers.map((spoil, index) => {
      const directory = plant(`spoiled-${index}/bin`);
      spoil(directory);
      return findHelperIn([directory, good], 'helper');
    });
    expect(found).toEqual(spoilers.map(() => join(good, 'helper')));
  });

  it.runIf(isRoot)('is judged by what a link leads to (needs root)', () => {
    const [open, shut] = [plant('open'), plant('shut')];
    chmodSync(open, 0o777);
    const directory = join(base, 'links');
    mkdirSync(directory);
    symlinkSync(join(open, 'helper'), join(directory, 'bad'));
    symlinkSync(join(shut, 'helper'), join(directory, 'good'));
    expect([findHelperIn([directory], 'bad'), findHelperIn([directory], 'good')]).toEqual([null, join(shut, 'helper')]);
  });

  it.runIf(isRoot)("is not one of an ordinary engine's own user, whose commands could replace it (needs root)", () => {
    const [own, foreign] = [plant('own'), plant('foreign')];
    chownSync(join(own, 'helper'), ordinary, ordinary);
    const directories = JSON.stringify([own, foreign]);
    const module = JSON.stringify(new URL('./find-host-helper.ts', import.meta.url).href);
    const script = `import(${module}).then((m) => console.log(m.findHelperIn(${directories}, 'helper')))`;
    const identity = { uid: ordinary, gid: ordinary, cwd: '/', encoding: 'utf8' } as const;
    expect(execFileSync(process.execPath, ['-e', script], identity).trim()).toBe(join(foreign, 'helper'));
  });

  it('has no directory in its place', () => {
    mkdirSync(join(base, 'bin', 'helper'), { recursive: true });
    expect(findHelperIn([join(base, 'bin')], 'helper')).toBeNull();
  });
});
