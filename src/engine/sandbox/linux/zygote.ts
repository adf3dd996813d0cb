// The engine's side of the zygote: one for the whole process, started by the first launch and ended with the engine. A few
// launchers are always forked ahead, so that nobody has to wait for one.
import { type StartedProgram, type StartFailed, startChild } from '../../process/start-child.ts';
import { type Fork, followZygote } from './follow-zygote.ts';
import { readArchitecture } from './read-architecture.ts';
import type { InstructedLauncher, LauncherTask, WaitingLauncher } from './waiting-launcher.ts';
import { zygoteSource } from './zygote-source.ts';

/** Has a launcher carry out a list of instructions; never rejects for what the system does. */
export async function launch(perl: string, task: LauncherTask): Promise<InstructedLauncher | StartFailed> {
  zygote ??= startZygote(perl);
  const asked = zygote;
  const running = await asked;
  if (running.kind === 'failed') {
    if (zygote === asked) zygote = null;
    return running;
  }
  const launcher = await running.take(task.controlGroup?.path ?? null);
  return launcher.kind === 'failed' ? launcher : launcher.instruct(task);
}

let zygote: Promise<Zygote | StartFailed> | null = null;

interface Zygote {
  readonly kind: 'zygote';
  /** One that nobody else has, in this control group or, for null, in that of the engine. */
  take(controlGroup: string | null): Promise<WaitingLauncher | StartFailed>;
}

async function startZygote(perl: string): Promise<Zygote | StartFailed> {
  const child = await startChild({
    argv: [perl, '-e', zygoteSource, readArchitecture()],
    directory: '/',
    environment: {},
    identity: null,
    descriptors: ['channel'],
  });
  if (child.kind === 'failed') return child;
  const [channel] = child.channels;
  if (channel === undefined) throw new TypeError('The zygote needs a channel');
  child.exited.then(() => {
    zygote = null;
  });
  return keepSpares(child, followZygote(child, channel));
}

function keepSpares(child: StartedProgram, fork: Fork): Zygote {
  const spares: WaitingLauncher[] = [];
  let forking: Promise<void> | null = null;
  let taken = 0;
  const hold = (change: 1 | -1): void => {
    taken += change;
    // It waits for work as long as this process has other things to do, and is none itself.
    child.holdOpen(taken > 0);
  };
  const makeSpares = (): void => {
    if (spares.length >= maxSpares || forking !== null || !child.isAlive()) return;
    forking = fork(null).then((forked) => {
      forking = null;
      if (forked.kind === 'failed') return;
      spares.push(forked);
      makeSpares();
    });
  };
  const takeSpare = async (): Promise<WaitingLauncher | StartFailed> => {
    if (spares.length === 0) await forking;
    const ready = spares.shift();
    return ready?.isAlive() === true ? ready : fork(null);
  };
  hold(1);
  hold(-1);
  return {
    kind: 'zygote',
    async take(controlGroup) {
      hold(1);
      // To move one there would take far longer than to fork one in it.
      const isAnyPlace = controlGroup === null;
      const launcher = isAnyPlace ? await takeSpare() : await fork(controlGroup);
      if (launcher.kind === 'failed') {
        hold(-1);
        return launcher;
      }
      if (!isAnyPlace) {
        launcher.exited.then(() => hold(-1));
        return launcher;
      }
      // Not while this one begins: it needs the processor itself.
      const later = setTimeout(makeSpares, spareDelayMs).unref();
      launcher.exited.then(() => {
        hold(-1);
        clearTimeout(later);
        makeSpares();
      });
      return launcher;
    },
  };
}

/** One for the next command, and one for that after it, which may come before another is there. */
const maxSpares = 2;
const spareDelayMs = 20;
