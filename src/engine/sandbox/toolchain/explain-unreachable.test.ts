import { chmodSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainUnreachable } from './explain-unreachable.ts';
import { findBarrier } from './find-barrier.ts';
import { createToolchain, type Toolchain } from './toolchain.ts';

let home = '';
let directory = '';
beforeEach(async () => {
  home = realpathSync(await mkdtemp(join(tmpdir(), 'unreachable-')));
  directory = join(home, 'tool', 'bin');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'rustc'), '', { mode: 0o755 });
});
afterEach(() => rm(home, { recursive: true, force: true }));

const rust = (): Toolchain =>
  createToolchain({
    name: 'rust',
    program: join(directory, 'rustc'),
    path: [directory],
    mounts: [{ source: join(home, 'tool'), target: join(home, 'tool') }],
  });

describe('findBarrier', () => {
  it('names the topmost directory that is shut to others, and none where all are open', () => {
    chmodSync(home, 0o755);
    const open = findBarrier(directory);
    chmodSync(directory, 0o750);
    const inner = findBarrier(directory);
    chmodSync(home, 0o700);
    expect([open, inner, findBarrier(directory)]).toEqual([null, directory, home]);
  });

  it('takes a directory that can be entered though not listed for open', () => {
    chmodSync(home, 0o711);
    expect(findBarrier(directory)).toBeNull();
  });

  it('takes a file that others cannot read for shut', () => {
    chmodSync(home, 0o755);
    chmodSync(join(directory, 'rustc'), 0o750);
    expect(findBarrier(join(directory, 'rustc'))).toBe(join(directory, 'rustc'));
  });
});

describe('explainUnreachable', () => {
  it('says which directory is shut and which package would do', () => {
    chmodSync(home, 0o700);
    expect(explainUnreachable('rustc', [rust()])).toEqual({
      kind: 'not-started',
      stage: 'toolchain',
      reason: `${directory}/rustc is out of reach for the user that commands run as: ${home} is shut to others`,
      advice: 'Install it for every user; on Debian and its kin: apt install rustc cargo.',
    });
  });

  it('says nothing of a program that is in reach, or that nobody has, or that is no bare name', () => {
    chmodSync(home, 0o755);
    const open = explainUnreachable('rustc', [rust()]);
    chmodSync(home, 0o700);
    const names = ['no-such-program', '', '../bin/rustc', join(directory, 'rustc')];
    expect([open, ...names.map((name) => explainUnreachable(name, [rust()]))]).toEqual([null, null, null, null, null]);
  });
});
