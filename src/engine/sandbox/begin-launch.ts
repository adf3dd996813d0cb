// Waits for a launch to begin, but not for ever and not for one that nobody wants any more.
import type { Begun, Launch, StartedChild, StartFailure } from './launch.ts';

const graceMs = 500;

/** `cancelled`: `signal` said so before it began. After `patienceMs` without an answer it is a failure. */
export async function beginLaunch(
  launch: Launch,
  child: StartedChild,
  signal: AbortSignal,
  patienceMs: number,
): Promise<Begun | StartFailure | { readonly kind: 'cancelled' }> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  const patience = setTimeout(abort, patienceMs);
  try {
    const begun = await settlesSoonAfter(launch.begin(child, stop.signal), stop.signal);
    // What has begun is known by then, and is ended best by what is known of it.
    if (begun?.kind === 'begun') return begun;
    if (signal.aborted) return { kind: 'cancelled' };
    return begun ?? toFailure(patienceMs);
  } finally {
    clearTimeout(patience);
    signal.removeEventListener('abort', abort);
  }
}

/** Undefined when it has no answer even some time after it was told to stop. */
async function settlesSoonAfter<Value>(answer: Promise<Value>, stop: AbortSignal): Promise<Value | undefined> {
  const late = Promise.withResolvers<undefined>();
  let grace: NodeJS.Timeout | undefined;
  const wait = (): void => {
    grace = setTimeout(() => late.resolve(undefined), graceMs);
  };
  stop.addEventListener('abort', wait, { once: true });
  if (stop.aborted) wait();
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(grace);
    stop.removeEventListener('abort', wait);
  }
}

function toFailure(patienceMs: number): StartFailure {
  const reason = `the command did not begin within ${patienceMs / 1000} s`;
  return { kind: 'not-started', stage: 'launcher', reason };
}
