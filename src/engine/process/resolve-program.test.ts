import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOnProgramPath, resolveProgram, toProgramPath } from './resolve-program.ts';
import { scrubbedEnvironment } from './scrubbed-environment.ts';

let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'resolve-program-'));
});
afterEach(() => rm(directory, { recursive: true }));

describe('resolving a program', () => {
  it('finds a bare name in the system directories and never by PATH', async () => {
    const planted = join(directory, 'planted-tool');
    await writeFile(planted, '#!/bin/sh\n', { mode: 0o755 });
    const path = process.env.PATH;
    process.env.PATH = `${directory}:${path}`;
    try {
      expect([resolveProgram('planted-tool'), resolveProgram('sh')]).toEqual([null, expect.stringMatching(/bin\/sh$/)]);
    } finally {
      process.env.PATH = path;
    }
  });

  it('takes node to be the Node that runs the engine', () => {
    expect(resolveProgram('node')).toBe(process.execPath);
  });

  it('takes an absolute path only when it is an executable file', async () => {
    const file = join(directory, 'tool');
    await writeFile(file, '#!/bin/sh\n');
    const before = resolveProgram(file);
    await chmod(file, 0o755);
    expect([before, resolveProgram(file), resolveProgram(directory)]).toEqual([null, file, null]);
  });

  it.each(['', './sh', 'bin/sh', '../bin/sh'])('refuses %j, which depends on the current directory', (name) => {
    expect([resolveProgram(name), findOnProgramPath(name)]).toEqual([null, null]);
  });

  it('finds what a child finds on the path that it is given', () => {
    const names = ['sh', 'grep', 'node', 'npm', 'cargo', 'no-such-program-here'];
    const script = 'for name; do command -v "$name" || echo; done';
    const options = { env: { PATH: toProgramPath() }, encoding: 'utf8' } as const;
    const { stdout } = spawnSync('/bin/sh', ['-c', script, 'sh', ...names], options);
    expect(names.map((name) => findOnProgramPath(name) ?? '')).toEqual(stdout.split('\n').slice(0, -1));
  });
});

describe('the environment of children', () => {
  it('holds no variable of ours', () => {
    process.env.OPENROUTER_API_KEY = 'never-passed-on';
    try {
      const { RUSTUP_HOME: _rustup, PATH, ...rest } = scrubbedEnvironment('/private/home', '/private/tmp');
      expect(rest).toEqual({
        HOME: '/private/home',
        TMPDIR: '/private/tmp',
        LANG: 'C.UTF-8',
        TERM: 'dumb',
        CI: '1',
        NO_COLOR: '1',
      });
      expect(PATH?.split(':').filter((entry) => !entry.startsWith('/'))).toEqual([]);
    } finally {
      delete process.env.OPENROUTER_API_KEY;
    }
  });
});
