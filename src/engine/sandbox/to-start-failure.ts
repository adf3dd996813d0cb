// Tells what the system refused from a fault of the engine: no room, no descriptor, no permission.
import { EngineError } from '../../shared/engine-error.ts';
import type { StartFailure } from './launch.ts';

/** Why nothing was started; only for errors from before anything was. Throws again what is a fault of the engine. */
export function toStartFailure(error: unknown): StartFailure {
  if (error instanceof EngineError) return unavailable(error.message, error.remedy);
  if (isOfSystem(error)) return unavailable(`the system refused what it needs: ${error.message}`);
  throw error;
}

function unavailable(reason: string, advice?: string): StartFailure {
  return { kind: 'not-started', stage: 'unavailable', reason, ...(advice === undefined ? {} : { advice }) };
}

/** Node names the call to the system in all errors of this kind and in no others. */
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && ('syscall' in error || 'errno' in error);
}
