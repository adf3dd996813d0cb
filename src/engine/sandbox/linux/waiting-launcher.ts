// A launcher that the zygote has forked, and that waits to be told what to do; from then on it is a child like any other. Its
// pipes are opened here by the numbers that they have in the zygote, which has no other way to hand them over.
import type { Duplex } from 'node:stream';
import { type OpenPipeEnd, openPipeEnds } from '../../process/open-pipe-ends.ts';
import type { ChildExit, StartedChild, StartFailed } from '../../process/start-child.ts';
import { type Instruction, joinWords, toWords } from './launcher.ts';

export interface WaitingLauncher {
  readonly kind: 'waiting';
  readonly exited: Promise<ChildExit>;
  isAlive(): boolean;
  /** Called once. */
  instruct(task: LauncherTask): InstructedLauncher;
  /** Where nobody needs it. */
  end(): void;
}

export interface LauncherTask {
  readonly instructions: readonly Instruction[];
  readonly input: 'none' | 'pipe';
  /** The control group that it is to be in, with all that comes of it. */
  readonly controlGroup?: { readonly path: string } | null;
}

/** Its one channel is where the launcher answers, and after it whoever is told to keep descriptor 3. */
export interface InstructedLauncher extends StartedChild {
  /** Lets a launcher that waits go on. */
  letGo(): void;
}

export interface Forked {
  readonly pid: number;
  /** It is not reaped before. */
  readonly exited: Promise<ChildExit>;
  /** Of its pipes: status, go, output, errors and input. */
  readonly paths: readonly string[];
}

/** Call it while the pipes are open in the zygote. Where one cannot be opened here, the launcher is ended. */
export function followForked({ pid, exited, paths }: Forked): WaitingLauncher | StartFailed {
  const streams = openAll(paths);
  if ('reason' in streams) {
    kill(pid);
    return { kind: 'failed', reason: streams.reason };
  }
  const [status, go, stdout, stderr, stdin] = streams;
  if (!status || !go || !stdout || !stderr || !stdin) throw new TypeError('A launcher has five pipes');
  for (const stream of streams) {
    // A pipe that breaks ends what it carries and nothing else.
    stream.on('error', () => undefined);
    // As long as it waits it is no reason for this process to stay.
    stream.unref();
  }
  let hasExited = false;
  exited.then(() => {
    hasExited = true;
  });
  const isAlive = (): boolean => !hasExited;
  const release = (): void => {
    for (const stream of streams) stream.destroy();
  };
  return {
    kind: 'waiting',
    exited,
    isAlive,
    instruct({ instructions, input }) {
      for (const stream of streams) stream.ref();
      if (input === 'none') stdin.destroy();
      go.write(toList(input === 'none' ? [['no-input'], ...instructions] : instructions));
      return {
        kind: 'started',
        pid,
        stdin: input === 'none' ? null : stdin,
        stdout,
        stderr,
        channels: [status],
        exited,
        closed: Promise.all([exited, closeOf(stdout), closeOf(stderr)]).then(() => undefined),
        isAlive,
        release,
        letGo: () => void go.end('.'),
      };
    },
    // It ends when nobody is left to instruct it.
    end: release,
  };
}

/** As the launcher reads it: twelve digits for the number of bytes, and the words. */
function toList(instructions: readonly Instruction[]): Buffer {
  const words = Buffer.from(joinWords(toWords(instructions)));
  return Buffer.concat([Buffer.from(String(words.length).padStart(12, '0')), words]);
}

function openAll(paths: readonly string[]): readonly OpenPipeEnd[] | { readonly reason: string } {
  try {
    return openPipeEnds(paths.map((path, place) => ({ path, access: accesses[place] ?? 'read' })));
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

const accesses = ['read', 'write', 'read', 'read', 'write'] as const;

const closeOf = (stream: Duplex): Promise<void> => new Promise((resolve) => stream.once('close', () => resolve()));

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
