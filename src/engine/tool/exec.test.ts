import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';

describe('exec', () => {
  it('hands every word to the program as it is', async () => {
    await using workspace = await openGuardedWorkspace();
    const words = ['$HOME', '*', 'a b', '; touch made', "'", '\n', ''];
    expect(await workspace.call('exec', { argv: ['printf', '[%s]', ...words] })).toEqual({
      status: 'ok',
      text: `Exit code 0.\nstdout:\n${words.map((word) => `[${word}]`).join('')}\nstderr: (nothing)`,
    });
  });

  it('runs a program of the workspace by its path, and what it writes is made', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('tools/make', '#!/bin/sh\necho "$1" > made.txt\n');
    chmodSync(join(workspace.path, 'tools/make'), 0o755);
    expect(await workspace.call('exec', { argv: ['tools/make', 'it'] })).toMatchObject({ status: 'ok' });
    expect(workspace.read('made.txt').toString()).toBe('it\n');
  });

  it('is judged by its words: a denied operand denies it', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('.env', 'KEY=secret');
    expect(await workspace.call('exec', { argv: ['cat', '.env'] })).toEqual({
      status: 'denied',
      text: expect.stringContaining('is denied by the rule ".env"'),
    });
  });

  it('says that a missing program is missing', async () => {
    await using workspace = await openGuardedWorkspace();
    expect(await workspace.call('exec', { argv: ['no-such-program'] })).toEqual({
      status: 'failed',
      text: 'Nothing was run: no-such-program: there is no such executable program.',
    });
  });

  it.each([[[]], [['']], [['a\0b']], [['ls', 1]]])('refuses the words %j', async (argv) => {
    await using workspace = await openGuardedWorkspace();
    expect(await workspace.call('exec', { argv })).toMatchObject({ status: 'unusable' });
  });
});
