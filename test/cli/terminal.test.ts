// Questions at a real terminal: what is typed when, and what is left of the terminal afterwards.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTerminalObstacle, runInTerminal, type TerminalRun } from '../support/run-in-terminal.ts';
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts';

const program = join(import.meta.dirname, 'terminal-program.ts');
const obstacle = findTerminalObstacle();

describe.skipIf(obstacle !== null)(`at a terminal (${obstacle ?? 'of script'})`, () => {
  function start(place: TemporaryDirectory, line: string): TerminalRun {
    return runInTerminal(line.replace('ask', `'${process.execPath}' '${program}'`), { directory: place.path });
  }

  it('a line typed after the question is its answer, and the process ends by itself', async () => {
    using place = createTemporaryDirectory();
    await using run = start(place, 'ask one? two?');
    await run.untilShown('one? ');
    run.type('first\n');
    await run.untilShown('two? ');
    run.type('second\n');
    await run.untilShown('{"kind":"line","text":"second"}');
    expect([await run.exitCode, run.shown().includes('{"kind":"line","text":"first"}')]).toEqual([0, true]);
  });

  it('what was typed ahead answers nothing', async () => {
    using place = createTemporaryDirectory();
    await using run = start(place, 'until [ -e go ]; do sleep 0.05; done; ask sure?');
    run.type('y\ny\n');
    await run.untilShown('y\ny\n');
    place.write('go', '');
    await run.untilShown('sure? ');
    run.type('no\n');
    await run.untilShown('{"kind":"line","text":"no"}');
    expect(await run.exitCode).toBe(0);
  });

  it('Ctrl-D is the end of the input, also of a line that was begun', async () => {
    using place = createTemporaryDirectory();
    await using run = start(place, 'ask one? two?');
    await run.untilShown('one? ');
    run.type('y\u0004');
    run.type('\u0004');
    await run.untilShown('{"kind":"end"}\n{"kind":"end"}\n');
    expect(await run.exitCode).toBe(0);
  });

  it('the terminal is as it was when the process was ended in the middle of a question', async () => {
    using place = createTemporaryDirectory();
    await using run = start(place, 'ulimit -c 0; trap : QUIT; ask sure?; stty -a');
    await run.untilShown('sure? ');
    run.type('\u001c');
    await run.untilShown('speed');
    await run.exitCode;
    expect(run.shown().split(/[\s;]+/)).toEqual(expect.arrayContaining(['icanon', 'echo', 'isig', 'icrnl']));
  });
});
