// Named places at which a test ends the whole process as hard as a power cut would, set from outside by
// `IO_STUDIO_CRASH_POINT=name` or `name:3` for the third time; or at which it looks at what such an end would leave. Unset,
// each costs one comparison.

/** In the order in which a step passes them. The two about a commit stand in the journal's own thread. */
export const crashPoints = [
  'before-record',
  'before-commit',
  'after-commit',
  'after-record',
  'before-request',
  'after-reply',
  'before-act',
  'before-rename',
  'after-rename',
  'between-changes',
  'after-act',
  'before-check',
  'after-check',
] as const;
export type CrashPoint = (typeof crashPoints)[number];

const [wanted, times] = (process.env.IO_STUDIO_CRASH_POINT ?? '').split(':');
let remaining = Number(times ?? 1);
let observer: ((point: CrashPoint) => void) | null = null;

/** Does not return when `point` is the one asked for. */
export function passCrashPoint(point: CrashPoint): void {
  observer?.(point);
  if (point !== wanted || --remaining > 0) return;
  process.kill(process.pid, 'SIGKILL');
}

/** Has `observe` called, before anything goes on, at each point of this thread until it is disposed of. */
export function observeCrashPoints(observe: (point: CrashPoint) => void): Disposable {
  observer = observe;
  return {
    [Symbol.dispose]() {
      observer = null;
    },
  };
}
