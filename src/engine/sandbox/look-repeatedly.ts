// The one timer by which everything that runs is looked at. However many there are, the looks of one turn end after a
// while, and the next turn waits several times as long as the last one took: the rest comes first then.

/** Calls `look` at once in the next turn and then whenever it is due: it says itself in how many milliseconds that is. */
export function lookRepeatedly(look: () => number): Disposable {
  const watched: Watched = { look, dueAtMs: performance.now() };
  waiting.add(watched);
  schedule(0);
  return {
    [Symbol.dispose]() {
      waiting.delete(watched);
      if (waiting.size === 0) unschedule();
    },
  };
}

interface Watched {
  readonly look: () => number;
  dueAtMs: number;
}

const waiting = new Set<Watched>();
let timer: NodeJS.Timeout | undefined;
let timerDueAtMs = Number.POSITIVE_INFINITY;

/** Of one turn: so long nothing else of the engine gets a turn. */
const maxTurnMs = 10;
/** All looks together take at most a quarter of a core. */
const restShare = 3;

function schedule(afterMs: number): void {
  const dueAtMs = performance.now() + afterMs;
  if (dueAtMs >= timerDueAtMs) return;
  clearTimeout(timer);
  timerDueAtMs = dueAtMs;
  timer = setTimeout(takeTurn, afterMs);
}

function unschedule(): void {
  clearTimeout(timer);
  timerDueAtMs = Number.POSITIVE_INFINITY;
}

function takeTurn(): void {
  timerDueAtMs = Number.POSITIVE_INFINITY;
  const startedAtMs = performance.now();
  const due = [...waiting].filter(({ dueAtMs }) => dueAtMs <= startedAtMs + timerSlackMs);
  due.sort((one, other) => one.dueAtMs - other.dueAtMs);
  let now = startedAtMs;
  for (const watched of due) {
    if (now - startedAtMs > maxTurnMs) break;
    // One look may end another command.
    if (!waiting.has(watched)) continue;
    const delayMs = watched.look();
    now = performance.now();
    watched.dueAtMs = now + delayMs;
  }
  if (waiting.size === 0) return;
  const nextDueAtMs = Math.min(...[...waiting].map(({ dueAtMs }) => dueAtMs));
  schedule(Math.max(nextDueAtMs - now, (now - startedAtMs) * restShare));
}

/** Timers count whole milliseconds; what is due within this one is looked at now. */
const timerSlackMs = 1;
