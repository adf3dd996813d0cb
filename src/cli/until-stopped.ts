// How long something goes on that has no end of its own: until Ctrl-C, a request to stop, or until nobody reads it any more.

/** Calls `use` with a signal of that; returns the exit code that says which it was. */
export async function untilStopped(use: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const stopping = new AbortController();
  let exitCode = 0;
  const stop = (code: number) => () => {
    exitCode = code;
    stopping.abort();
  };
  const [onInterrupt, onTerminate, onClose] = [stop(130), stop(143), stop(0)];
  process.on('SIGINT', onInterrupt).on('SIGTERM', onTerminate);
  process.stdout.on('error', onClose).on('close', onClose);
  try {
    await use(stopping.signal);
    return exitCode;
  } finally {
    process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate);
    process.stdout.off('error', onClose).off('close', onClose);
  }
}
