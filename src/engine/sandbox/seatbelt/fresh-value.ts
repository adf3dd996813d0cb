// The latest answer to a question that takes a while: whoever wants to know gets what is known now, and where that is too
// old it is asked again meanwhile, once for all of them.

export interface Fresh<Value> {
  readonly value: Value;
  /** By the monotonic clock: it says nothing of what happened later. */
  readonly askedAtMs: number;
}

export interface FreshSource<Value> {
  /** Null before the first answer. Where it is older than `maxAgeMs` a newer one is on its way. */
  latest(maxAgeMs: number): Fresh<Value> | null;
}

/** `ask` answers null where it cannot tell; it never rejects. */
export function keepFresh<Value>(ask: () => Promise<Value | null>): FreshSource<Value> {
  let known: Fresh<Value> | null = null;
  let isAsking = false;
  const askAgain = async (): Promise<void> => {
    isAsking = true;
    const askedAtMs = performance.now();
    const value = await ask();
    if (value !== null) known = { value, askedAtMs };
    isAsking = false;
  };
  return {
    latest(maxAgeMs) {
      const isOld = known === null || performance.now() - known.askedAtMs > maxAgeMs;
      if (isOld && !isAsking) void askAgain();
      return known;
    },
  };
}
