// Ends the processes of a command one look at a time: stops whoever is new until a look shows nobody new, and then ends them
// all. What was stopped starts nothing more, so each look meets fewer.
import type { StartedChild } from '../../process/start-child.ts';
import type { ListedProcess } from './parse-process-list.ts';

export interface Ending {
  /** Goes on with it; called until nobody is left. */
  press(): void;
}

/** How often somebody new is stopped before all are ended anyway, and how long a look is waited for. */
const maxRounds = 10;
const patienceMs = 500;

export function createEnding(
  child: Pick<StartedChild, 'pid' | 'isAlive'>,
  lookAfter: (momentMs: number) => readonly ListedProcess[] | null,
): Ending {
  const stopped = new Set<string>();
  let rounds = 0;
  let pressedAtMs: number | null = null;
  const stop = (newcomers: readonly ListedProcess[]): void => {
    signalAll(child, newcomers, 'SIGSTOP');
    for (const { identity } of newcomers) stopped.add(identity);
    pressedAtMs = performance.now();
    rounds += 1;
  };
  return {
    press() {
      if (pressedAtMs === null) return stop([]);
      const running = lookAfter(pressedAtMs);
      const newcomers = running?.filter(({ identity }) => !stopped.has(identity)) ?? [];
      if (newcomers.length > 0 && rounds < maxRounds) return stop(newcomers);
      if (running === null && performance.now() - pressedAtMs < patienceMs) return;
      signalAll(child, running ?? [], 'SIGKILL');
    },
  };
}

/** The group at once, so that none of it escapes meanwhile; then those that left it. */
function signalAll(
  { pid, isAlive }: Pick<StartedChild, 'pid' | 'isAlive'>,
  members: readonly ListedProcess[],
  signal: NodeJS.Signals,
): void {
  if (isAlive() || members.some(({ groupId }) => groupId === pid)) send(-pid, signal);
  for (const member of members) if (member.groupId !== pid) send(member.pid, signal);
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // It ended by itself.
  }
}
