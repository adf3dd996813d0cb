// Failures that stop the engine from carrying on. Each has a stable code, says what happened, and what to do next.
// Expected endings of a run are outcomes, not errors.

export type EngineErrorCode =
  | 'usage'
  | 'contract-invalid'
  | 'unpriced'
  | 'workspace-unusable'
  | 'home-unusable'
  | 'home-overlaps-workspace'
  | 'provider-not-configured'
  | 'store-damaged'
  | 'store-foreign'
  | 'store-newer'
  | 'store-full'
  | 'store-unwritable'
  | 'store-busy'
  | 'store-copied'
  | 'store-shared'
  | 'blob-missing'
  | 'policy-invalid'
  | 'approval-unknown'
  | 'approval-answered'
  | 'approval-changed'
  | 'decision-refused'
  | 'recovery-unknown'
  | 'recovery-answered'
  | 'rewrite-invalid'
  | 'remember-refused'
  | 'run-unknown'
  | 'run-owned'
  | 'processes-left'
  | 'rewind-refused'
  | 'run-exists'
  | 'run-imported'
  | 'run-unfinished'
  | 'run-ended'
  | 'agent-unknown'
  | 'agent-ended'
  | 'agent-not-paused'
  | 'ceiling-spent'
  | 'export-invalid'
  | 'file-exists'
  | 'lease-lost'
  | 'sandbox-unavailable'
  | 'closed'
  | 'internal';

export interface EngineErrorOptions {
  /** What the reader can do about it, as one sentence. */
  readonly remedy: string;
  readonly cause?: unknown;
}

const marker = Symbol.for('io-studio.engine-error');

/** The one thrown error type. Compare `code`; the message is for people and may change. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineErrorCode;
  readonly remedy: string;
  readonly [marker] = true;

  constructor(code: EngineErrorCode, message: string, options: EngineErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.remedy = options.remedy;
  }
}

/** A guard that also recognises an error made by another copy of this module. */
export function isEngineError(error: unknown): error is EngineError {
  return typeof error === 'object' && error !== null && marker in error;
}

/** The exit code of a process that ended with this error; the same numbers as the outcomes use. */
export function toErrorExitCode(code: EngineErrorCode): number {
  switch (code) {
    case 'usage':
    case 'contract-invalid':
    case 'unpriced':
    case 'workspace-unusable':
    case 'home-overlaps-workspace':
    case 'provider-not-configured':
    case 'policy-invalid':
    case 'approval-unknown':
    case 'approval-answered':
    case 'approval-changed':
    case 'decision-refused':
    case 'recovery-unknown':
    case 'recovery-answered':
    case 'rewrite-invalid':
    case 'remember-refused':
    case 'run-unknown':
    case 'run-owned':
    case 'processes-left':
    case 'rewind-refused':
    case 'run-exists':
    case 'run-imported':
    case 'run-unfinished':
    case 'run-ended':
    case 'agent-unknown':
    case 'agent-ended':
    case 'agent-not-paused':
    case 'ceiling-spent':
    case 'export-invalid':
    case 'file-exists':
      return 2;
    case 'sandbox-unavailable':
      return 7;
    case 'home-unusable':
    case 'store-damaged':
    case 'store-foreign':
    case 'store-newer':
    case 'store-full':
    case 'store-unwritable':
    case 'store-busy':
    case 'store-copied':
    case 'store-shared':
    case 'blob-missing':
    case 'lease-lost':
    case 'closed':
    case 'internal':
      return 8;
  }
}
