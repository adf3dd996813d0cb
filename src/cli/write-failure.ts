// Whatever goes wrong outside a run's own outcomes ends here, as one message, one verdict and one exit code.
import { EngineError, isEngineError, toErrorExitCode } from '../shared/engine-error.ts';
import type { RunId } from '../shared/id.ts';
import type { RunOutcome } from '../shared/outcome.ts';
import { toVisible } from '../shared/to-visible.ts';

export interface WriteFailureOptions {
  readonly json: boolean;
  /** The run it went wrong in; null when there is none yet. */
  readonly runId: RunId | null;
}

/**
 * Says what went wrong and what to do next, on standard error; for scripts also as the result line. Returns the exit code.
 */
export function writeFailure(cause: unknown, { json, runId }: WriteFailureOptions): number {
  const error = isEngineError(cause) ? cause : toUnexpected(cause);
  const { code, message, remedy } = error;
  const exitCode = toErrorExitCode(code);
  process.stderr.write(`io-studio: ${toVisible(`${message}\n${remedy}`, { multiline: true })}\n`);
  if (json) {
    const nothing = { evidence: null, usage: null, denied: [] };
    const told = { outcome: toOutcome(error), exitCode, ...nothing, error: { code, message, remedy } };
    process.stdout.write(`${JSON.stringify({ type: 'result', runId, ...told })}\n`);
  }
  return exitCode;
}

/** The outcome that a failure before or beside a run amounts to, so that kind and exit code always agree. */
function toOutcome({ code, message }: EngineError): RunOutcome {
  switch (toErrorExitCode(code)) {
    case 2:
      return { kind: 'invalid', reason: message };
    case 7:
      return { kind: 'sandboxUnavailable', reason: message };
    default:
      return { kind: 'storeFailed', reason: message };
  }
}

function toUnexpected(cause: unknown): EngineError {
  const message = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  return new EngineError('internal', `Unexpected failure: ${message}`, {
    remedy: 'This is a fault of the engine: please report it with this message.',
    cause,
  });
}
