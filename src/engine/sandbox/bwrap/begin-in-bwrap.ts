// From the start of the launcher to the start of the command: what is mounted is taken hold of while it can still be
// reached, the directory is filled, and only then may the command begin.
import { z } from 'zod';
import type { Begun, ChildExit, PayloadEnd, StartedChild, StartFailure } from '../launch.ts';
import { type ChannelLines, readChannelLines } from '../linux/channel-lines.ts';
import { parseFailure, waitForReady } from '../linux/launcher.ts';
import { createNamespaceTree } from '../linux/namespace-tree.ts';
import { signalBelow } from '../linux/signal-below.ts';
import type { Leavings, SandboxDirectory, SandboxLimits } from '../sandbox.ts';
import { toSignalName } from '../signal-name.ts';
import { toStartFailure } from '../to-start-failure.ts';
import type { LaunchPlan } from './compose-launch.ts';
import { furnishStage, readStage, type StageOptions } from './furnish-stage.ts';

export interface BeginOptions extends StageOptions {
  /** Lets the launcher go on when all is ready. */
  readonly letGo: () => void;
  readonly signal: AbortSignal;
}

/** The parts of the stage that outlast the command. */
export interface Stage {
  readLeavings(limits: SandboxLimits): Promise<Leavings>;
  close(): void;
}

export type BegunInBwrap = { readonly kind: 'begun'; readonly begun: Begun; readonly stage: Stage } | StartFailure;

export async function beginInBwrap(options: BeginOptions): Promise<BegunInBwrap> {
  const { child, plan, letGo, signal } = options;
  const [status] = child.channels;
  if (status === undefined) throw new TypeError('The launcher needs a channel');
  const complaints = keepComplaints(child);
  const lines = readChannelLines(status);
  const refusal = await waitForReady(lines, signal);
  if (refusal !== null) {
    const failure = withComplaint(refusal, complaints());
    return needsCopy(plan, refusal.instruction) ? { ...failure, tryCopy: true } : failure;
  }
  const held = await furnishStage(options).catch(toStartFailure);
  if (held.kind === 'not-started') return held;
  letGo();
  const line = await lines.next(signal);
  const started = ChildLine.safeParse(toJson(line));
  if (!started.success) {
    held.close();
    return withComplaint(parseFailure(line) ?? notStarted, complaints());
  }
  const initPid = started.data['child-pid'];
  const disks = [...held.disks, ...listTemporary(plan.directory).map((path) => `/proc/${initPid}/root${path}`)];
  const tree = createNamespaceTree({ child, initPid, disks });
  const toEnd = (exit: ChildExit): Promise<PayloadEnd> => readEnd(exit, lines, complaints());
  const readLeavings = (limits: SandboxLimits) => readStage(held, plan.directory, limits);
  const begun = { kind: 'begun', tree, toEnd, signal: (name: NodeJS.Signals) => signalBelow(initPid, name) } as const;
  return { kind: 'begun', begun, stage: { readLeavings, close: held.close } };
}

/** What a file system may not be able to do: show its files as another user's, or lie under an overlay. */
function needsCopy({ directory }: LaunchPlan, instruction: string | null): boolean {
  return directory.mode === 'staged' && (instruction === 'take' || instruction === 'lay-over');
}

const ChildLine = z.looseObject({ 'child-pid': z.int().positive() });
const ExitLine = z.looseObject({ 'exit-code': z.int().nonnegative() });

const notStarted: StartFailure = {
  kind: 'not-started',
  stage: 'sandbox',
  reason: 'bubblewrap could not build the sandbox',
};

/** What bubblewrap makes in memory, unless the workspace lies over it: that is somebody's disk. */
function listTemporary(directory: SandboxDirectory): string[] {
  const workspace = directory.mode === 'ephemeral' ? null : directory.workspace;
  return ['/tmp', '/dev/shm'].filter((path) => path !== workspace);
}

/** Bubblewrap tells the end of the command itself; when it tells none, no command ran or somebody ended bubblewrap. */
async function readEnd(exit: ChildExit, lines: ChannelLines, complaint: string): Promise<PayloadEnd> {
  const code = await readExitCode(lines);
  if (code === null) {
    return exit.signal === null ? withComplaint(notStarted, complaint) : { kind: 'signal', signal: exit.signal };
  }
  // It reports a signal as a shell does, 128 higher; an exit code of that size reads as one, as it does in a shell.
  const signal = toSignalName(code - 128);
  return signal === null ? { kind: 'exit', code } : { kind: 'signal', signal };
}

/** On a busy machine it may come some time after the end of the process that wrote it. */
async function readExitCode(lines: ChannelLines): Promise<number | null> {
  const patience = AbortSignal.timeout(statusPatienceMs);
  for (let line = await lines.next(patience); line !== null; line = await lines.next(patience)) {
    const told = ExitLine.safeParse(toJson(line));
    if (told.success) return told.data['exit-code'];
  }
  return null;
}

const statusPatienceMs = 5_000;

/** The first words on stderr: while nothing of the command has begun they are the launcher's or bubblewrap's. */
function keepComplaints(child: StartedChild): () => string {
  let text = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (text.length < maxComplaintCharacters) text += chunk.toString('utf8');
  });
  return () => text.slice(0, maxComplaintCharacters).trim();
}

const maxComplaintCharacters = 2000;

function withComplaint(failure: StartFailure, complaint: string): StartFailure {
  return complaint === '' ? failure : { ...failure, reason: `${failure.reason} (${complaint})` };
}

function toJson(line: string | null): unknown {
  try {
    return JSON.parse(line ?? '');
  } catch {
    return null;
  }
}
