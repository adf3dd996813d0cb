// What is said to the zygote, and what it says: whom it has forked, and who has ended. Nobody is reaped before their end is
// known here.
import type { ChildChannel, ChildExit, StartedProgram, StartFailed } from '../../process/start-child.ts';
import { toSignalName } from '../signal-name.ts';
import { followForked, type WaitingLauncher } from './waiting-launcher.ts';

/** Forks a launcher, in this control group or, for null, in that of the engine. Never rejects. */
export type Fork = (controlGroup: string | null) => Promise<WaitingLauncher | StartFailed>;

/** One launcher: who waits for it to be forked, and for its end. */
interface Awaited {
  readonly forked: PromiseWithResolvers<WaitingLauncher | StartFailed>;
  readonly exited: PromiseWithResolvers<ChildExit>;
}

export function followZygote(child: StartedProgram, channel: ChildChannel): Fork {
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
    // One that does not answer is of no use to anybody; its end is the answer then, and the next launch starts another.
    const impatience = setTimeout(() => kill(child), patienceMs).unref();
    return launcher.forked.promise.finally(() => clearTimeout(impatience));
  };
}

const patienceMs = 10_000;

function kill({ pid, isAlive }: StartedProgram): void {
  if (isAlive()) process.kill(pid, 'SIGKILL');
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
