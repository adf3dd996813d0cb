import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openTerminal } from './terminal.ts';

const never = new AbortController().signal;

describe('a terminal', () => {
  it('takes the line that is typed after the question was shown, whatever its line end', async () => {
    const { terminal, input, shown } = open();
    const first = terminal.question('one? ', never);
    await shown('one? ');
    input.write('y\r\n');
    expect(await first).toEqual({ kind: 'line', text: 'y' });
    const second = terminal.question('two? ', never);
    await shown('two? ');
    input.write('n');
    input.write('o\n');
    expect(await second).toEqual({ kind: 'line', text: 'no' });
  });

  it('takes nothing for an answer that was typed before the question', async () => {
    const { terminal, input, shown } = open();
    input.write('y\ny\ny');
    await turn();
    const asked = terminal.question('sure? ', never);
    await shown('sure? ');
    input.write('\n');
    expect(await asked).toEqual({ kind: 'line', text: '' });
  });

  it('lets one paste answer one question', async () => {
    const { terminal, input, shown } = open();
    const first = terminal.question('one? ', never);
    await shown('one? ');
    input.write('y\ny\ny\n');
    await first;
    const second = terminal.question('two? ', never);
    await shown('two? ');
    input.write('n\n');
    expect(await second).toEqual({ kind: 'line', text: 'n' });
  });

  it('takes a line that was broken off by the end of the input for the end alone', async () => {
    const { terminal, input, shown } = open();
    const asked = terminal.question('sure? ', never);
    await shown('sure? ');
    input.end('y');
    expect([await asked, await terminal.question('and now? ', never)]).toEqual([{ kind: 'end' }, { kind: 'end' }]);
  });

  it('takes an input that fails for one that has ended', async () => {
    const { terminal, input, shown } = open();
    const asked = terminal.question('sure? ', never);
    await shown('sure? ');
    input.destroy(new Error('EIO'));
    expect(await asked).toEqual({ kind: 'end' });
  });

  it('takes a question back, also one that was not shown yet, and can ask another', async () => {
    const { terminal, input, shown } = open();
    const withdrawn = new AbortController();
    const asked = terminal.question('sure? ', withdrawn.signal);
    await shown('sure? ');
    withdrawn.abort();
    expect([await asked, await terminal.question('really? ', withdrawn.signal)]).toEqual([
      { kind: 'withdrawn' },
      { kind: 'withdrawn' },
    ]);
    const next = terminal.question('next? ', never);
    await shown('next? ');
    input.write('y\n');
    expect(await next).toEqual({ kind: 'line', text: 'y' });
  });

  it('reads only while a question stands, and leaves the streams without its listeners', async () => {
    const { terminal, input, shown } = open();
    const asked = terminal.question('sure? ', never);
    await shown('sure? ');
    expect(input.isPaused()).toBe(false);
    input.write('y\n');
    await asked;
    expect(input.isPaused()).toBe(true);
    terminal[Symbol.dispose]();
    terminal[Symbol.dispose]();
    expect(['data', 'end', 'close', 'error'].map((name) => input.listenerCount(name))).toEqual(bare);
  });
});

const bare = ['data', 'end', 'close', 'error'].map((name) => new PassThrough().listenerCount(name));

function open() {
  const input = new PassThrough();
  const output = new PassThrough();
  let text = '';
  const looking = new Set<() => void>();
  output.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
    for (const look of looking) look();
  });
  const shown = (prompt: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!text.endsWith(prompt)) return;
        looking.delete(look);
        resolve();
      };
      looking.add(look);
      look();
    });
  return { terminal: openTerminal(input, output), input, shown };
}
