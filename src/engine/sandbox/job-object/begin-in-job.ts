// Sees a command begin inside a job: the process that waits for it is put there first, and starts it only then. No moment
// passes in which something of the command is outside.
import type { StartedChild } from '../../process/start-child.ts';
import type { Begun, ChildExit, PayloadEnd, StartFailure } from '../launch.ts';
import { readChannelLines } from '../linux/channel-lines.ts';
import type { JobEvent, JobLimits } from './broker-protocol.ts';
import type { Job, JobBroker } from './job-broker.ts';
import { createJobTree, type JobTree } from './job-tree.ts';

export interface BeginParts {
  readonly broker: JobBroker;
  readonly limits: JobLimits;
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  /** Called with the job as soon as there is one. */
  readonly keep: (job: Job) => void;
}

export async function beginInJob(
  child: StartedChild,
  parts: BeginParts,
  signal: AbortSignal,
): Promise<Begun | StartFailure> {
  const [channel] = child.channels;
  if (channel === undefined) throw new TypeError('A command in a job needs a channel');
  const { tree, opened } = openJob(child, parts, signal);
  const refusal = await opened;
  if (refusal !== null) {
    // Who waits is told nothing and ends.
    channel.destroy();
    return { kind: 'not-started', stage: 'sandbox', reason: refusal };
  }
  channel.write(`${JSON.stringify({ argv: parts.argv, environment: parts.environment })}\n`);
  const line = await readChannelLines(channel).next(signal);
  if (line === 'begun') return { kind: 'begun', tree, toEnd: (exit) => toEnd(exit, tree) };
  channel.destroy();
  const reason = /^failed\t(.*)$/.exec(line ?? '')?.[1] ?? 'the program that starts it ended without a word';
  return { kind: 'not-started', stage: 'program', reason };
}

/** `opened`: null when the child is in its job, otherwise why not. */
function openJob(child: StartedChild, { broker, limits, keep }: BeginParts, signal: AbortSignal) {
  const opened = Promise.withResolvers<string | null>();
  let job: Job | null = null;
  const tree = createJobTree({ isAlive: child.isAlive, limits, job: () => job });
  job = broker.open(child.pid, limits, (event) => {
    tree.hear(event);
    if (event === 'gone' || event.event === 'refused') opened.resolve(toRefusal(event));
    if (event !== 'gone' && event.event === 'opened') opened.resolve(null);
  });
  keep(job);
  signal.addEventListener('abort', () => opened.resolve('nobody waits for it any more'), { once: true });
  return { tree, opened: opened.promise };
}

function toRefusal(event: 'gone' | Extract<JobEvent, { event: 'refused' }>): string {
  if (event === 'gone') return 'the program that makes jobs ended';
  return `Windows made no job for it (${event.step}: error ${event.code})`;
}

/** The kernel has no signals here; the one it would send elsewhere says what happened. */
function toEnd({ code, signal }: ChildExit, tree: JobTree): PayloadEnd {
  if (tree.isOutOfTime) return { kind: 'signal', signal: 'SIGXCPU' };
  return code === null ? { kind: 'signal', signal: signal ?? 'unknown' } : { kind: 'exit', code };
}
