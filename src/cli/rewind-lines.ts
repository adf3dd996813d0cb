// What a rewind did, or would do, path by path, and what can be done next.
import type { RewindReport } from '../engine/index.ts';
import type { PutBackFate } from '../shared/rewind.ts';
import { toVisible } from '../shared/to-visible.ts';
import { counted } from './counted.ts';

export function toRewindLines(report: RewindReport): string[] {
  const { files, untold, cancelled } = report;
  return [
    toHeading(report),
    ...files.flatMap(toFileLines),
    ...(files.length === 0 ? ['  no file is touched'] : []),
    ...(untold === 0 ? [] : [`  not kept    ${counted(untold, 'more path')} that processes of the run have written`]),
    ...cancelled.map((request) => `  withdrawn   the question ${toVisible(request)}`),
    ...toNextSteps(report),
  ];
}

function toHeading({ runId, aim, step, isDone }: RewindReport): string {
  switch (aim) {
    case 'step':
      return `${runId} ${isDone ? 'goes' : 'would go'} back to ${step === 0 ? 'its beginning' : `the end of step ${step}`}`;
    case 'files':
      return `${isDone ? 'put back' : 'would put back'} files of ${runId}, which stays where it is`;
    case 'undo':
      return `${isDone ? 'undid' : 'would undo'} the last rewind of ${runId}`;
  }
}

const fateWords: Readonly<Record<PutBackFate, string>> = {
  restored: 'restored',
  removed: 'removed',
  already: 'already so',
  changed: 'changed',
  'not-kept': 'not kept',
  refused: 'refused',
  left: 'left',
};

function toFileLines({ path, fate, because, copy }: RewindReport['files'][number]): string[] {
  const why = because === undefined ? '' : `  (${toVisible(because)})`;
  const line = `  ${fateWords[fate].padEnd(10)}  ${toVisible(path)}${why}`;
  return copy === undefined ? [line] : [line, `  ${'a copy'.padEnd(10)}  ${toVisible(copy)}`];
}

function toNextSteps({ runId, aim, isDone, files }: RewindReport): string[] {
  if (!isDone) {
    const needsForce = files.some(({ fate }) => fate === 'changed');
    return needsForce ? ['  to put back what others have changed too, and keep a copy of it: --force'] : [];
  }
  const undo = `  undo:     io-studio rewind ${runId} --undo`;
  const goOn = `  go on:    io-studio resume ${runId}`;
  if (aim === 'undo') return [goOn];
  return aim === 'step' ? [goOn, undo] : [undo];
}
