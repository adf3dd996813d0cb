// One sleeper that many can wake. A ring while nobody sleeps is not lost: the next sleep ends at once.

export interface Wake {
  ring(): void;
  /** Settles at the next ring since the last wait, or after `ms`; null: only then. */
  wait(ms: number | null): Promise<void>;
}

export function createWake(): Wake {
  let hasRung = false;
  let rouse: () => void = () => undefined;
  return {
    ring() {
      hasRung = true;
      rouse();
    },
    async wait(ms) {
      if (!hasRung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        rouse = resolve;
        const timer = ms === null ? undefined : setTimeout(resolve, Math.min(ms, maxTimerMs));
        await promise;
        clearTimeout(timer);
        rouse = () => undefined;
      }
      hasRung = false;
    },
  };
}

const maxTimerMs = 2 ** 31 - 1;
