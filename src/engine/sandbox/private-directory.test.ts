import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isEngineError } from '../../shared/engine-error.ts';
import { readOwnTag } from '../process/owner-tag.ts';
import { createPrivateDirectory } from './private-directory.ts';

const isRoot = process.platform === 'linux' && process.geteuid?.() === 0;
const uid = process.geteuid?.() ?? 'user';
let temporary = '';
beforeEach(() => {
  temporary = realpathSync(mkdtempSync(join(tmpdir(), 'private-directory-')));
  chmodSync(temporary, 0o1777);
  vi.stubEnv('TMPDIR', temporary);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true, force: true });
});

describe('a private directory', () => {
  it('lies in the base of its user, is shut to all others, says whose it is, and is gone afterwards', async () => {
    const directory = await createPrivateDirectory();
    const { path } = directory;
    const modes = [path, dirname(path)].map(modeOf);
    await directory[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
    expect({ base: dirname(path), modes, tag: basename(path).split('.')[0], left: readdirSync(dirname(path)) }).toEqual(
      {
        base: join(temporary, `io-studio-${uid}`),
        modes: [0o700, isRoot ? 0o711 : 0o700],
        tag: readOwnTag(),
        left: [],
      },
    );
  });

  it.each([0o000, 0o077])('is as shut as it has to be under umask %i', async (mask) => {
    const umask = process.umask(mask);
    await using directory = await createPrivateDirectory().finally(() => process.umask(umask));
    expect([directory.path, dirname(directory.path)].map(modeOf)).toEqual([0o700, isRoot ? 0o711 : 0o700]);
  });

  it('is made by its real path where the temporary directory is a link', async () => {
    const link = join(temporary, 'link');
    symlinkSync(temporary, link);
    vi.stubEnv('TMPDIR', link);
    await using directory = await createPrivateDirectory();
    expect(directory.path).toBe(realpathSync(directory.path));
  });

  it.each([
    ['does not exist', (path: string) => join(path, 'missing')],
    ['is a file', (path: string) => makeFile(join(path, 'file'))],
    ['is a link that leads nowhere', (path: string) => makeLink(join(path, 'link'))],
  ])('is made below /tmp where TMPDIR %s (anthropics/claude-code#11079)', async (_what, make) => {
    vi.stubEnv('TMPDIR', make(temporary));
    await using directory = await createPrivateDirectory();
    expect(dirname(directory.path)).toBe(join(realpathSync('/tmp'), `io-studio-${uid}`));
  });

  it('is made below /tmp where TMPDIR cannot be written to (anthropics/claude-code#11079)', () => {
    chmodSync(temporary, 0o555);
    const source = join(import.meta.dirname, 'private-directory.ts');
    const script = `
      import { createPrivateDirectory } from '${source}';
      await using directory = await createPrivateDirectory();
      console.log(directory.path);`;
    // Root may write anywhere, so somebody else has to try.
    const user = isRoot ? { uid: 61_003, gid: 61_003 } : {};
    const run = { ...user, cwd: '/', encoding: 'utf8' } as const;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], run);
    expect(dirname(dirname(printed))).toBe(realpathSync('/tmp'));
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('is made below /tmp where others could rename what lies in TMPDIR', async () => {
    chmodSync(temporary, 0o777);
    await using directory = await createPrivateDirectory();
    expect(dirname(directory.path)).toBe(join(realpathSync('/tmp'), `io-studio-${uid}`));
  });

  it.runIf(isRoot)('is made below /tmp where its user could not reach it (needs root)', async () => {
    chmodSync(temporary, 0o700);
    await using directory = await createPrivateDirectory({ uid: 61_001, gid: 61_001 });
    expect(dirname(directory.path)).toBe(`/tmp/io-studio-${uid}`);
  });

  it('is refused, with a way out, where a link lies in place of the base', async () => {
    const elsewhere = join(temporary, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(temporary, `io-studio-${uid}`));
    const error: unknown = await createPrivateDirectory().catch((reason: unknown) => reason);
    expect(isEngineError(error) && [error.code, error.remedy]).toEqual([
      'sandbox-unavailable',
      `Remove ${join(temporary, `io-studio-${uid}`)}, or set TMPDIR to a directory that only you may write to.`,
    ]);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it.runIf(isRoot)('is refused where the base belongs to somebody else (needs root)', async () => {
    execFileSync('/bin/sh', ['-c', `mkdir "$0" && chown 61001 "$0"`, join(temporary, `io-studio-${uid}`)]);
    await expect(createPrivateDirectory()).rejects.toMatchObject({ code: 'sandbox-unavailable' });
  });

  it.runIf(isRoot)('of a user can be worked in by it and by no other one (needs root)', async () => {
    await using directory = await createPrivateDirectory({ uid: 61_001, gid: 61_002 });
    const attempt = (line: string, as: number): string => {
      const judged = `{ ${line}; } 2>/dev/null && echo yes || echo no`;
      const options = { uid: as, gid: as, cwd: '/', encoding: 'utf8' } as const;
      return execFileSync('/bin/sh', ['-c', judged, directory.path], options).trim();
    };
    expect({
      owner: [lstatSync(directory.path).uid, lstatSync(directory.path).gid],
      writes: attempt('cd "$0" && : >made', 61_001),
      enters: attempt('cd "$0"', 61_002),
      seesNames: attempt('ls "$0/.."', 61_001),
    }).toEqual({ owner: [61_001, 61_002], writes: 'yes', enters: 'no', seesNames: 'no' });
  });
});

const modeOf = (path: string): number => lstatSync(path).mode & 0o7777;

function makeFile(path: string): string {
  writeFileSync(path, '');
  return path;
}

function makeLink(path: string): string {
  symlinkSync(join(path, 'nowhere'), path);
  return path;
}
