// Tells a command that runs from one that could not be enclosed: what is enclosed says first that it began. Only then is
// anything of the exit code its own.
import { settlesWithin } from '../../process/settles-within.ts';
import type { StartedChild } from '../../process/start-child.ts';
import type { Begun, PayloadEnd, SandboxTree, StartFailure } from '../launch.ts';
import { readChannelLines } from '../linux/channel-lines.ts';

type Argv = readonly [string, ...string[]];

/** What runs enclosed: it tells the channel at descriptor 3, lets go of it and becomes the command. */
export function announceCommand(argv: Argv): Argv {
  return ['/bin/sh', '-c', 'echo begun >&3 && exec 3>&- && exec "$@"', 'sh', ...argv];
}

export async function beginInSeatbelt(
  child: StartedChild,
  tree: SandboxTree,
  signal: AbortSignal,
): Promise<Begun | StartFailure> {
  const [channel] = child.channels;
  if (channel === undefined) throw new TypeError('A command in Seatbelt needs a channel');
  const complaint = collectComplaint(child);
  const line = await readChannelLines(channel).next(signal);
  if (line === 'begun') return { kind: 'begun', tree, toEnd };
  await settlesWithin(child.closed, drainMs);
  return toFailure(complaint());
}

const drainMs = 250;
const maxCharacters = 2_000;

function collectComplaint({ stderr }: StartedChild): () => string {
  let text = '';
  stderr.on('data', (chunk: Buffer) => {
    if (text.length < maxCharacters) text += chunk.toString('utf8');
  });
  return () => text.slice(0, maxCharacters).trim();
}

function toFailure(complaint: string): StartFailure {
  return {
    kind: 'not-started',
    stage: 'sandbox',
    reason: `Seatbelt could not enclose it: ${complaint || 'it ended without a word'}`,
    // A process that is enclosed cannot enclose another one.
    ...(/sandbox_apply: Operation not permitted/.test(complaint)
      ? { advice: 'Run the engine outside of the sandbox that it runs in itself.' }
      : {}),
  };
}

function toEnd({ code, signal }: { readonly code: number | null; readonly signal: string | null }): PayloadEnd {
  return signal === null ? { kind: 'exit', code: code ?? 0 } : { kind: 'signal', signal };
}
