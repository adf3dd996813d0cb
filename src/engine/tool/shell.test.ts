import { describe, expect, it } from 'vitest';
import { noHistory, openGuardedWorkspace } from '../../../test/support/guarded-workspace.ts';
import { shell } from './shell.ts';

describe('shell', () => {
  it('runs a line in the workspace and shows how it ended and what it wrote', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('a.txt', 'one\n');
    expect([
      await workspace.call('shell', { command: 'cat a.txt && echo warning >&2' }),
      await workspace.call('shell', { command: 'cat a.txt; false' }),
    ]).toEqual([
      { status: 'ok', text: 'Exit code 0.\nstdout:\none\nstderr:\nwarning' },
      { status: 'failed', text: 'Exit code 1.\nstdout:\none\nstderr: (nothing)' },
    ]);
  });

  it('says what ended a command that did not end by itself', async () => {
    await using workspace = await openGuardedWorkspace();
    expect([
      await workspace.call('shell', { command: 'kill -SEGV $$' }),
      await workspace.call('shell', { command: 'sleep 60', timeoutSeconds: 1 }),
    ]).toEqual([
      { status: 'failed', text: 'Ended by SIGSEGV.\nstdout: (nothing)\nstderr: (nothing)' },
      {
        status: 'failed',
        text: 'Ended because it went over its limit on time (1000 ms). What it had written to files is lost.\nstdout: (nothing)\nstderr: (nothing)',
      },
    ]);
  });

  it('shows head and tail of a flood, with what lies between counted, and no terminal codes', async () => {
    await using workspace = await openGuardedWorkspace();
    const { text } = await workspace.call('shell', {
      command: String.raw`printf '\033[31mfirst\033[0m\n'; seq 1 200000; printf 'last\a\n'`,
    });
    const lines = text.split('\n');
    expect([lines.slice(0, 4), lines.at(-2), text.length < 300_000]).toEqual([
      ['Exit code 0.', 'stdout:', 'first', '1'],
      'last',
      true,
    ]);
    expect(text).toMatch(/\n\[\d+ bytes left out\]\n/);
  });

  it('is denied where a part of the line is, and runs none of it', async () => {
    await using workspace = await openGuardedWorkspace();
    workspace.write('.env', 'KEY=secret');
    expect(await workspace.call('shell', { command: 'touch made; cat .env' })).toEqual({
      status: 'denied',
      text: expect.stringContaining('is denied by the rule ".env"'),
    });
    expect(await workspace.files.read('made', 1)).toMatchObject({ kind: 'missing' });
  });

  it('runs nothing that asks where nobody said yes', async () => {
    await using workspace = await openGuardedWorkspace();
    const plan = await shell.prepare(
      { command: 'touch made' },
      {
        files: workspace.files,
        commands: workspace.guard.commands(workspace.stance),
        fetches: workspace.guard.fetches(workspace.stance, 'allow'),
        processes: workspace.processes,
        permitted: 'allow',
        unasked: 'allow',
        history: noHistory,
        signal: new AbortController().signal,
      },
    );
    const done = plan.kind === 'command' ? await plan.run() : plan;
    expect(done).toEqual({
      result: {
        status: 'failed',
        text: 'Nothing was run: exec of "touch made" must be asked for by default, and nobody was asked.',
        origin: 'engine',
        seen: [],
      },
      ran: null,
      leavings: { kind: 'nothing' },
      isCutOff: false,
    });
  });

  it.each([
    [{ command: '  ' }, 'command'],
    [{ command: 'ls', timeoutSeconds: 0 }, 'timeoutSeconds'],
    [{ command: 'ls', timeoutSeconds: 601 }, 'timeoutSeconds'],
    [{ command: 'ls', directory: '/' }, 'directory'],
  ])('refuses the arguments %j', async (args, field) => {
    await using workspace = await openGuardedWorkspace();
    const { status, text } = await workspace.call('shell', args);
    expect([status, text.includes(field)]).toEqual(['unusable', true]);
  });
});
