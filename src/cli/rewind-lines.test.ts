import { describe, expect, it } from 'vitest';
import { RunId } from '../shared/id.ts';
import { toRewindLines } from './rewind-lines.ts';

const runId = RunId.parse(`run-${'0'.repeat(22)}`);
const report = {
  runId,
  aim: 'step',
  step: 2,
  isDone: true,
  files: [
    { path: 'src/a.ts', fate: 'restored', because: 'somebody else has changed it since', copy: '/home/kept/a.ts' },
    { path: 'b\u202etxt', fate: 'removed' },
    { path: 'c', fate: 'not-kept', because: 'a process wrote it' },
  ],
  untold: 1,
  cancelled: ['run-1:root:3:0'],
} as const;

describe('what a person is told of a rewind', () => {
  it('says what became of each path, what is withdrawn, and how to go on or take it back', () => {
    expect(toRewindLines(report)).toEqual([
      `${runId} goes back to the end of step 2`,
      '  restored    src/a.ts  (somebody else has changed it since)',
      '  a copy      /home/kept/a.ts',
      expect.stringMatching(/^ {2}removed {5}b.*202e.*txt$/i),
      '  not kept    c  (a process wrote it)',
      '  not kept    1 more path that processes of the run have written',
      '  withdrawn   the question run-1:root:3:0',
      `  go on:    io-studio resume ${runId}`,
      `  undo:     io-studio rewind ${runId} --undo`,
    ]);
  });

  it('says how to go on after the last one was taken back too', () => {
    expect(toRewindLines({ ...report, aim: 'undo', step: null, files: [], untold: 0, cancelled: [] })).toEqual([
      `undid the last rewind of ${runId}`,
      '  no file is touched',
      `  go on:    io-studio resume ${runId}`,
    ]);
  });

  it('says of a preview that it is one, and what force would do', () => {
    const files = [{ path: 'a', fate: 'changed', because: 'somebody else has changed it since' }] as const;
    expect(toRewindLines({ ...report, step: 0, isDone: false, files, untold: 0, cancelled: [] })).toEqual([
      `${runId} would go back to its beginning`,
      '  changed     a  (somebody else has changed it since)',
      '  to put back what others have changed too, and keep a copy of it: --force',
    ]);
  });
});
