// Named places at which a test ends the whole process as hard as a power cut would, set from outside by
// `IO_STUDIO_CRASH_POINT=name` or `name:3` for the third time. Unset, each costs one comparison.

export type CrashPoint = 'before-commit' | 'after-commit';

const [wanted, times] = (process.env.IO_STUDIO_CRASH_POINT ?? '').split(':');
let remaining = Number(times ?? 1);

/** Does not return when `point` is the one asked for. */
export function passCrashPoint(point: CrashPoint): void {
  if (point !== wanted || --remaining > 0) return;
  process.kill(process.pid, 'SIGKILL');
}
