// The launch of one command under Landlock: the launcher stays as its parent and ends as it does, so its own end tells
// everything.
import type { StartedChild } from '../../process/start-child.ts';
import type { ControlGroup } from '../control-group/control-group.ts';
import { explainStart } from '../control-group/explain-start.ts';
import { withControlGroup } from '../control-group/with-control-group.ts';
import type { DiskMeter } from '../disk/disk-meter.ts';
import type { SandboxIdentity } from '../identity/take-identity.ts';
import type { Begun, Launch, PayloadEnd, SandboxTree, StartFailure } from '../launch.ts';
import type { LaidOut } from '../lay-out-directory.ts';
import { readChannelLines } from '../linux/channel-lines.ts';
import { launch } from '../linux/zygote.ts';
import { createPlainTree } from '../plain-tree.ts';
import type { SandboxLimits } from '../sandbox.ts';
import { composeEnclosure, type EnclosurePlan } from './compose-enclosure.ts';

export interface LaunchParts {
  readonly perl: string;
  readonly plan: EnclosurePlan;
  readonly place: LaidOut;
  /** What marks every process of the command in its environment. */
  readonly mark: string;
  readonly disk: DiskMeter;
  readonly controlGroup: ControlGroup | null;
  readonly identity: SandboxIdentity;
  /** Disposed of with the launch. */
  readonly resources: AsyncDisposable;
}

export function createLaunch(parts: LaunchParts): Launch {
  const { perl, plan, place, mark, disk, controlGroup, identity, resources } = parts;
  const isDropped = plan.account.kind === 'dropped';
  const uid = isDropped ? plan.account.uid : null;
  const sawAllGone = (): void => identity.markUnused();
  return {
    kind: 'launch',
    start: (input) => launch(perl, { instructions: composeEnclosure(plan), input, controlGroup }),
    bears: { uid, mark, controlGroup: controlGroup?.path ?? null },
    keptByKernel: new Set<keyof SandboxLimits>([
      'fileBytes',
      ...(isDropped ? (['processes'] as const) : []),
      ...(controlGroup?.keeps ?? []),
    ]),
    begin: (child, signal) => begin(child, { mark, uid, disk, controlGroup, sawAllGone }, signal),
    readLeavings: () => place.readLeavings(),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}

async function begin(
  child: StartedChild,
  members: Pick<LaunchParts, 'mark' | 'disk' | 'controlGroup'> & { readonly uid: number | null; sawAllGone(): void },
  signal: AbortSignal,
): Promise<Begun | StartFailure> {
  const { controlGroup, sawAllGone } = members;
  const looked = trustLauncher(child, createPlainTree({ child, ...members }), sawAllGone);
  const [channel] = child.channels;
  if (channel === undefined) throw new TypeError('The launcher needs a channel');
  const lines = readChannelLines(channel);
  // It is closed, without a word, by the start of the program.
  const complaint = await lines.next(signal);
  if (complaint !== null) return explainStart(toFailure(complaint), controlGroup);
  const tree = controlGroup === null ? looked : withControlGroup(looked, controlGroup);
  return { kind: 'begun', tree, toEnd };
}

/** It ends with a code only when it has seen everybody gone: nobody has to be looked for then. */
function trustLauncher(child: StartedChild, tree: SandboxTree, sawAllGone: () => void): SandboxTree {
  let hasSeenAllGone = false;
  child.exited.then(({ signal }) => {
    hasSeenAllGone = signal === null;
    if (hasSeenAllGone) sawAllGone();
  });
  return { ...tree, isGone: () => hasSeenAllGone || tree.isGone() };
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
