// Long work in short pieces, so that nothing else of the engine waits for it.
import { setImmediate } from 'node:timers/promises';

/** Of one piece. */
const maxPieceMs = 2;

export interface Turns {
  /** Lets others have their turn, where this piece of work has been long enough. */
  pass(): Promise<void> | undefined;
}

export function takeTurns(): Turns {
  let beganAtMs = performance.now();
  return {
    pass() {
      if (performance.now() - beganAtMs < maxPieceMs) return undefined;
      return setImmediate().then(() => {
        beganAtMs = performance.now();
      });
    },
  };
}
