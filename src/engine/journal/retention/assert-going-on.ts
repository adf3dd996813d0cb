import { EngineError } from '../../../shared/engine-error.ts';

/** Throws when whoever asked for it has stopped it. */
export function assertGoingOn(signal: AbortSignal): void {
  if (signal.aborted)
    throw new EngineError('closed', 'It was stopped before it was done.', { remedy: 'Run the command again.' });
}
