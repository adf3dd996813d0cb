// Processes that go on running between calls, in the sandbox and by the tools that a model has.
import { describe, expect, it } from 'vitest';
import { findMarked } from '../sandbox/hostile/find-marked.ts';
import { findSandbox } from '../sandbox/hostile/find-sandbox.ts';
import { type GuardedWorkspace, openGuardedWorkspace } from '../support/guarded-workspace.ts';

const sandbox = await findSandbox('bwrap');

async function open(): Promise<GuardedWorkspace> {
  if (typeof sandbox === 'string') throw new Error(sandbox);
  return openGuardedWorkspace(undefined, { sandbox });
}

/** The name of the process that was started. */
async function start(workspace: GuardedWorkspace, command: string): Promise<string> {
  const { text } = await workspace.call('process_start', { command });
  const id = /^p\d+-[0-9a-f]+/.exec(text)?.[0];
  if (id === undefined) throw new Error(text);
  return id;
}

interface Seen {
  readonly state: string;
  readonly output: string;
  readonly cursor: number;
}

async function read(workspace: GuardedWorkspace, process: string, cursor: number, waitSeconds = 20): Promise<Seen> {
  const { text } = await workspace.call('process_read', { process, cursor, waitSeconds });
  const [, state = '', output = '', next] = /^(.*)\n([\s\S]*)\n\[read on from cursor (\d+).*\]$/.exec(text) ?? [];
  return { state, output: output === '(no output)' ? '' : `${output}\n`, cursor: Number(next) };
}

/** Everything that it writes until that holds `text`, or, with null, until it has ended. */
async function readUntil(workspace: GuardedWorkspace, process: string, text: string | null, from = 0): Promise<Seen> {
  let seen: Seen = { state: '', output: '', cursor: from };
  while (text === null || !seen.output.includes(text)) {
    const { state, output, cursor } = await read(workspace, process, seen.cursor);
    seen = { state, output: seen.output + output, cursor };
    if (state.includes('has ended')) break;
  }
  return seen;
}

describe.skipIf(typeof sandbox === 'string')('a process that is kept running', () => {
  it('is talked to over several calls, and tells how it ended', async () => {
    await using workspace = await open();
    const process = await start(workspace, 'while read -r line; do echo "got $line"; done; echo bye; exit 3');
    await workspace.call('process_write', { process, text: 'one\n' });
    expect(await readUntil(workspace, process, 'got one')).toMatchObject({
      state: `${process} runs.`,
      output: 'got one\n',
    });
    await workspace.call('process_write', { process, text: 'two\n', isLast: true });
    expect(await readUntil(workspace, process, null)).toMatchObject({
      state: `${process} has ended. Exit code 3.`,
      output: 'got one\ngot two\nbye\n',
    });
    expect(await workspace.call('process_write', { process, text: 'x' })).toEqual({
      status: 'failed',
      text: `Nothing was written. ${process} has ended. Exit code 3.`,
    });
  });

  it('survives from call to call and is gone with the run (anthropics/claude-code#35986)', async () => {
    const workspace = await open();
    const process = await start(workspace, '(setsid sleep 4321.5 &); sleep 4321.5');
    await workspace.call('shell', { command: 'true' });
    expect(await workspace.call('process_list', {})).toMatchObject({
      text: expect.stringContaining(`${process} runs.`),
    });
    expect(findMarked('4321.5')).not.toEqual([]);
    await workspace[Symbol.asyncDispose]();
    expect(findMarked('4321.5')).toEqual([]);
  });

  it('sees the workspace as it is at each moment, and can write nothing to it', async () => {
    await using workspace = await open();
    workspace.write('a.txt', 'old\n');
    workspace.write('.env', 'KEY=never-to-be-shown\n');
    const process = await start(workspace, 'while read -r line; do eval "$line" 2>&1; echo done; done');
    const tell = async (line: string): Promise<string> => {
      const { cursor } = await read(workspace, process, 0, 0);
      await workspace.call('process_write', { process, text: `${line}\n` });
      return (await readUntil(workspace, process, 'done\n', cursor)).output;
    };
    expect(await tell('cat a.txt')).toContain('old');
    await workspace.call('read_file', { path: 'a.txt' });
    await workspace.call('write_file', { path: 'a.txt', content: 'new\n' });
    expect(await tell('cat a.txt')).toContain('new');
    expect(await tell('echo mine > a.txt; echo mine > b.txt')).toContain('Read-only file system');
    expect(await tell('cat .env')).not.toContain('never-to-be-shown');
    expect([workspace.read('a.txt').toString(), await workspace.files.read('b.txt', 1)]).toMatchObject([
      'new\n',
      { kind: 'missing' },
    ]);
  });

  it('gets a signal, with whatever came of it, and goes on where it takes it', async () => {
    await using workspace = await open();
    const process = await start(workspace, "trap 'echo caught' INT; echo ready; while :; do sleep 0.05; done");
    await readUntil(workspace, process, 'ready');
    await workspace.call('process_signal', { process, signal: 'SIGINT' });
    expect((await readUntil(workspace, process, 'caught')).output).toContain('caught');
    await workspace.call('process_signal', { process, signal: 'SIGTERM' });
    expect((await readUntil(workspace, process, null)).state).toBe(`${process} has ended. Ended by SIGTERM.`);
  });

  it('is ended however deaf it is, and what it wrote can still be read', async () => {
    await using workspace = await open();
    const process = await start(workspace, "trap '' TERM INT HUP; echo here; while :; do sleep 0.05; done");
    expect(await workspace.call('process_end', { process })).toMatchObject({ status: 'ok' });
    expect((await readUntil(workspace, process, null)).output).toBe('here\n');
  });

  it('tells in numbers what of its output is no longer kept', async () => {
    await using workspace = await open();
    const process = await start(workspace, 'seq 1 400000');
    const running = workspace.processes.find(process);
    while (running?.end === null) await running.changed();
    const lengths = Array.from({ length: 400_000 }, (_, index) => `${index + 1}\n`.length);
    const total = lengths.reduce((sum, each) => sum + each);
    expect((await read(workspace, process, 0)).output).toContain(
      `[${total - 1024 * 1024} bytes before this are no longer kept]`,
    );
  });

  it('is not found by another driver of the run, nor after it has ended', async () => {
    await using one = await open();
    await using other = await open();
    const process = await start(one, 'sleep 60');
    for (const [tool, args] of [
      ['process_read', { cursor: 0 }],
      ['process_write', { text: 'x' }],
      ['process_signal', { signal: 'SIGTERM' }],
      ['process_end', {}],
    ] as const) {
      expect(await other.call(tool, { process, ...args })).toEqual({
        status: 'failed',
        text: expect.stringContaining('after a restart it is gone'),
      });
    }
    expect(one.processes.find(process)?.end).toBeNull();
  });
});

describe('a process where nothing shows it the workspace without letting it write there', () => {
  it('is not started', async () => {
    await using workspace = await openGuardedWorkspace();
    expect(await workspace.call('process_start', { argv: ['touch', 'made'] })).toMatchObject({
      text: expect.stringContaining('Nothing was run: a process that is kept running needs bubblewrap'),
    });
  });
});
