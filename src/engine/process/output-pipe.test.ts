import { spawn } from 'node:child_process';
import { closeSync, existsSync, readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openOutputPipe } from './output-pipe.ts';

async function write(line: string): Promise<string> {
  const pipe = await openOutputPipe();
  if (pipe === null) throw new Error('This system makes no pipes');
  spawn('/bin/sh', ['-c', line], { stdio: ['ignore', pipe.writeEnd, 'ignore'] });
  closeSync(pipe.writeEnd);
  return text(pipe.stream);
}

describe.runIf(process.platform !== 'win32')('a pipe for output (needs mkfifo)', () => {
  it('carries what a child writes to its end, also by the name of its output', async () => {
    expect(await write('echo one; echo two > /dev/stdout; echo three >> /dev/fd/1')).toBe('one\ntwo\nthree\n');
  });

  it('is another one each time', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    expect(await Promise.all(lines.map((line) => write(`echo ${line}`)))).toEqual(lines.map((line) => `${line}\n`));
  });

  it.runIf(existsSync('/proc/self/fd'))(
    'costs no more spare ones when many are wanted at once (needs /proc)',
    async () => {
      const countDescriptors = (): number => readdirSync('/proc/self/fd').length;
      await write('echo');
      const before = countDescriptors();
      const pipes = await Promise.all(Array.from({ length: 60 }, openOutputPipe));
      for (const pipe of pipes) {
        if (pipe === null) throw new Error('This system makes no pipes');
        closeSync(pipe.writeEnd);
        pipe.stream.destroy();
      }
      await setImmediate();
      // Two for each of the sixteen that are made at once.
      expect(countDescriptors() - before).toBeLessThanOrEqual(32);
    },
  );

  it('carries more than fits into it', async () => {
    expect((await write('head -c 3000000 /dev/zero')).length).toBe(3_000_000);
  });
});
