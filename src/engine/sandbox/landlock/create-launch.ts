// The launch of one command under Landlock: the launcher stays as its parent and ends as it does, so its own end tells
// everything.
import type { StartedChild } from '../../process/start-child.ts';
import type { Begun, Launch, PayloadEnd, StartFailure } from '../launch.ts';
import type { LaidOut } from '../lay-out-directory.ts';
import { readChannelLines } from '../linux/channel-lines.ts';
import { encodeInstructions, toLauncherArgv } from '../linux/launcher.ts';
import { readArchitecture } from '../linux/read-architecture.ts';
import { createPlainTree } from '../plain-tree.ts';
import type { SandboxLimits } from '../sandbox.ts';
import { composeEnclosure, type EnclosurePlan } from './compose-enclosure.ts';

export interface LaunchParts {
  readonly perl: string;
  readonly plan: EnclosurePlan;
  readonly place: LaidOut;
  /** What marks every process of the command in its environment. */
  readonly mark: string;
  /** Disposed of with the launch. */
  readonly resources: AsyncDisposable;
}

export function createLaunch({ perl, plan, place, mark, resources }: LaunchParts): Launch {
  const isDropped = plan.account.kind === 'dropped';
  const uid = isDropped ? plan.account.uid : null;
  return {
    kind: 'launch',
    argv: toLauncherArgv(perl, readArchitecture(), 'enclosure'),
    environment: {},
    directory: place.path,
    // The launcher gives it up itself and is then out of the command's reach, which a program started as it would not be.
    identity: null,
    descriptors: ['channel'],
    bears: { uid, mark },
    keptByKernel: new Set<keyof SandboxLimits>(isDropped ? ['fileBytes', 'processes'] : ['fileBytes']),
    begin: (child, signal) => begin(child, { plan, mark, uid }, signal),
    readLeavings: () => place.readLeavings(),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

async function begin(
  child: StartedChild,
  { plan, mark, uid }: { readonly plan: EnclosurePlan; readonly mark: string; readonly uid: number | null },
  signal: AbortSignal,
): Promise<Begun | StartFailure> {
  const tree = createPlainTree({ child, mark, uid });
  const [channel] = child.channels;
  if (channel === undefined) throw new TypeError('The launcher needs a channel');
  const lines = readChannelLines(channel);
  channel.end(encodeInstructions(composeEnclosure(plan)));
  // It is closed, without a word, by the start of the program.
  const complaint = await lines.next(signal);
  return complaint === null ? { kind: 'begun', tree, toEnd } : toFailure(complaint);
}

/** The launcher says what it could not do, and why. */
function toFailure(complaint: string): StartFailure {
  const [, instruction = '', why = complaint] = complaint.split('\t');
  if (instruction === 'start') return { kind: 'not-started', stage: 'program', reason: why };
  return {
    kind: 'not-started',
    stage: 'sandbox',
    reason: `Landlock could not enclose the command: ${instruction}: ${why}`,
  };
}

function toEnd({ code, signal }: { readonly code: number | null; readonly signal: string | null }): PayloadEnd {
  return signal === null ? { kind: 'exit', code: code ?? 0 } : { kind: 'signal', signal };
}
