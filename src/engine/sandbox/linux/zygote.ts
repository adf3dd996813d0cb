// The engine's side of the zygote: one for the whole process, started by the first launch and ended with the engine. A few
// launchers are always forked ahead, so that nobody has to wait for one.
import {
  type ChildChannel,
  type ChildExit,
  type StartedProgram,
  type StartFailed,
  startChild,
} from '../../process/start-child.ts';
import { toSignalName } from '../signal-name.ts';
import { readArchitecture } from './read-architecture.ts';
import { followForked, type InstructedLauncher, type LauncherTask, type WaitingLauncher } from './waiting-launcher.ts';
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
  return keepSpare(child, followZygote(child, channel));
}

type Fork = (controlGroup: string | null) => Promise<WaitingLauncher | StartFailed>;

function keepSpare(child: StartedProgram, fork: Fork): Zygote {
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

/** One launcher: who waits for it to be forked, and for its end. */
interface Awaited {
  readonly forked: PromiseWithResolvers<WaitingLauncher | StartFailed>;
  readonly exited: PromiseWithResolvers<ChildExit>;
}

function followZygote(child: StartedProgram, channel: ChildChannel): Fork {
  const awaited = new Map<string, Awaited>();
  const complaint = readComplaint(child);
  let last = 0;
  const send = (...words: string[]): void => void channel.write(`${words.join(' ')}\n`);
  readLines(channel, (line) => {
    const [name, number = '', ...words] = line.split('\t');
    const launcher = awaited.get(number);
    if (launcher === undefined) return;
    if (name === 'forked') {
      const [pid = 0, ...descriptors] = words.map(Number);
      const paths = descriptors.map((descriptor) => `/proc/${child.pid}/fd/${descriptor}`);
      launcher.forked.resolve(followForked({ pid, exited: launcher.exited.promise, paths }));
      send('opened', number);
      return;
    }
    awaited.delete(number);
    if (name === 'failed') launcher.forked.resolve({ kind: 'failed', reason: words.join('\t') });
    if (name === 'ended') {
      launcher.exited.resolve(toExit(words));
      // Whoever was told of the end acts on its number no more.
      send('reap', number);
    }
  });
  child.exited.then(() => {
    for (const { forked, exited } of awaited.values()) {
      forked.resolve({ kind: 'failed', reason: complaint() });
      // The kernel has ended with it whatever it had forked.
      exited.resolve({ code: null, signal: 'SIGKILL' });
    }
    awaited.clear();
  });
  return async (controlGroup) => {
    if (!child.isAlive()) return { kind: 'failed', reason: complaint() };
    const number = String(++last);
    const launcher: Awaited = { forked: Promise.withResolvers(), exited: Promise.withResolvers() };
    awaited.set(number, launcher);
    send('fork', number, ...(controlGroup === null ? [] : [controlGroup]));
    return launcher.forked.promise;
  };
}

/** Why it has ended, in its own words where it had any. */
function readComplaint({ stderr }: StartedProgram): () => string {
  let text = '';
  stderr.on('data', (chunk: Buffer) => {
    text = `${text}${chunk.toString('utf8')}`.slice(0, maxComplaintCharacters);
  });
  return () => `the process that starts sandboxes has ended${text === '' ? '' : `: ${text.trim()}`}`;
}

const maxComplaintCharacters = 2000;

function readLines(channel: ChildChannel, take: (line: string) => void): void {
  let text = '';
  channel.setEncoding('utf8');
  channel.on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() ?? '';
    lines.forEach(take);
  });
}

function toExit([how, what]: readonly string[]): ChildExit {
  const number = Number(what);
  return how === 'exit' ? { code: number, signal: null } : { code: null, signal: toSignalName(number) ?? `${number}` };
}
