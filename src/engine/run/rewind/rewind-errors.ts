import { EngineError } from '../../../shared/engine-error.ts';
import type { RunId } from '../../../shared/id.ts';
import { toPathText } from '../to-path-text.ts';

export const leaseLost = (runId: RunId): EngineError =>
  new EngineError('lease-lost', `Another process has taken over run ${runId}; nothing more was done here.`, {
    remedy: `Whoever drives it finishes the rewind; read it with "io-studio trace ${runId}".`,
  });

export const startedByRun = (runId: RunId): EngineError =>
  new EngineError('rewind-refused', `Run ${runId} cannot be rewound from here: this process was started by a run.`, {
    remedy: 'Rewind it from a terminal of your own.',
  });

export const tooMuch = (mebibytes: number): EngineError =>
  new EngineError('rewind-refused', `More than ${mebibytes} MiB would be put back or replaced at once.`, {
    remedy: 'Nothing was changed. Put files back in smaller parts first, with "io-studio rewind RUN --file PATH".',
  });

const named = 5;

export function changedSince(paths: readonly string[]): EngineError {
  const list = paths.slice(0, named).map(toPathText).join(', ');
  const more = paths.length > named ? ` and ${paths.length - named} more` : '';
  const what = paths.length === 1 ? 'A file is' : `${paths.length} files are`;
  return new EngineError('rewind-refused', `${what} not only the run's work any more: ${list}${more}.`, {
    remedy:
      'Nothing was changed. See why with --dry-run; --force puts them back too, and keeps a copy of each in the home.',
  });
}
