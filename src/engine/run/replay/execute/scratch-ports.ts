// What calls and checks are run again with: the recorded replies and answers, and the guard, the sandbox and the tools of this
// engine in the scratch copy. No network is behind any of it.
import type { EventOf } from '../../../../shared/event.ts';
import type { AgentId } from '../../../../shared/id.ts';
import type { RunState } from '../../../../shared/run-state.ts';
import type { TaskContract } from '../../../../shared/task-contract.ts';
import type { LeafVerification, Verification } from '../../../../shared/verification.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { exec } from '../../../tool/exec.ts';
import type { Processes } from '../../../tool/process/processes.ts';
import { shell } from '../../../tool/shell.ts';
import { toAgentCallPorts } from '../../agents/to-agent-call-ports.ts';
import type { CallPorts } from '../../driver-ports.ts';
import type { Recorder } from '../../recorder.ts';
import type { RunClock } from '../../run-clock.ts';
import type { StanceOf } from '../../stance.ts';
import type { Transcript } from '../../transcript.ts';
import type { ReplayOptions } from '../replay-run.ts';
import { createReplayedDriver, type ReplayedDriver } from '../replayed-driver.ts';
import type { Scratch } from './open-scratch.ts';
import type { ScratchPaths } from './scratch-paths.ts';

export interface ScratchWorld extends ReplayOptions {
  readonly scratch: Pick<Scratch, 'guard' | 'paths'>;
  /** One that gives nothing a way out. */
  readonly sandbox: Sandbox;
  readonly transcript: Transcript;
  readonly processes: Processes;
  readonly clock: RunClock;
  readonly signal: AbortSignal;
}

/** What is judged by in the scratch copy: the recorded policy, under what encloses commands here. */
export function openScratchDriver(
  { reader, chooseTools, contract, isGenuine, sandbox }: ReplayOptions & Pick<ScratchWorld, 'sandbox'>,
  paths: ScratchPaths,
  event: EventOf<'run-start'> | EventOf<'run-resume'>,
  state: RunState | null,
): ReplayedDriver {
  const readBlob: CallPorts['reader']['readBlob'] = (hash) =>
    Buffer.from(paths.toScratchJson(new TextDecoder().decode(reader.readBlob(hash))));
  const isolation = event.isolation === undefined ? {} : { isolation: sandbox.isolation ?? 'none' };
  const source = { reader: { readBlob, readOriginal: reader.readOriginal }, chooseTools, contract, isGenuine };
  return createReplayedDriver(source, { ...event, ...isolation }, state);
}

export interface ScratchDriver {
  readonly driver: ReplayedDriver;
  readonly recorder: Recorder;
  /** Whose call or check it is. */
  readonly agentId: AgentId;
}

export function toCallPorts(world: ScratchWorld, { driver, recorder, agentId }: ScratchDriver): CallPorts {
  const { scratch, sandbox, processes, clock, redactor, isGenuine } = world;
  const { guard, paths } = scratch;
  const stanceOf: StanceOf = (state, agentId) => driver.stanceOf(state, { agentId });
  const checker = { sandbox, guard, stanceOf, stateOf: () => recorder.state };
  const root = { contract: world.contract, tools: driver.tools };
  const { contract, ...own } = toAgentCallPorts({ root, reader: world.reader, checker }, agentId);
  return {
    ...own,
    contract: { ...contract, verification: toScratchVerification(contract.verification, paths) },
    recorder,
    reader: toScratchReader(world, recorder.state),
    transcript: toScratchTranscript(world.transcript, paths),
    guard,
    worktrees: null,
    stanceOf,
    answers: { isGenuine },
    tools: driver.tools,
    priceOf: () => null,
    processes,
    redactor,
    clock,
  };
}

/** Whoever asks for a way to the network gets none. */
export const withoutNetwork = (sandbox: Sandbox): Sandbox => ({
  get isolation() {
    return sandbox.isolation;
  },
  run: ({ network: _, ...spec }, signal) => sandbox.run(spec, signal),
});

/** Tools that may be called with an absolute path of the workspace. */
const pathTools: ReadonlySet<string> = new Set([exec.name, shell.name]);

function toScratchTranscript(transcript: Transcript, paths: ScratchPaths): Transcript {
  return {
    ...transcript,
    readReply(blob) {
      const reply = transcript.readReply(blob);
      const calls = reply.calls.map((call) =>
        pathTools.has(call.tool) ? { ...call, arguments: toScratchArguments(call.arguments, paths) } : call,
      );
      return { ...reply, calls };
    },
  };
}

/** What is no JSON cannot be used, and is not run. */
function toScratchArguments(text: string, paths: ScratchPaths): string {
  try {
    return paths.toScratchJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** The arguments that a person gave a call name the workspace as the model's do. */
function toScratchReader({ reader, scratch }: ScratchWorld, { agents }: RunState): CallPorts['reader'] {
  const calls = Object.values(agents).flatMap(({ phase }) => (phase.kind === 'acting' ? phase.calls : []));
  const rewrites = calls
    .filter(({ tool }) => pathTools.has(tool))
    .flatMap(({ rewrite, stage }) => [rewrite, stage.kind === 'waiting' ? stage.asked : null])
    .flatMap((blob) => blob?.hash ?? []);
  return {
    readBlob: (hash) => reader.readBlob(hash),
    readOriginal(hash) {
      const bytes = reader.readOriginal(hash);
      if (!rewrites.includes(hash)) return bytes;
      return Buffer.from(scratch.paths.toScratchJson(new TextDecoder().decode(bytes)));
    },
  };
}

function toScratchVerification(verification: Verification, paths: ScratchPaths): TaskContract['verification'] {
  if (verification.kind === 'none') return verification;
  if (verification.kind !== 'all') return toScratchLeaf(verification, paths);
  return { ...verification, of: verification.of.map((leaf) => toScratchLeaf(leaf, paths)) };
}

function toScratchLeaf(leaf: LeafVerification, { toScratch }: ScratchPaths): LeafVerification {
  if (leaf.kind !== 'command') return leaf;
  const [program, ...rest] = leaf.argv;
  return { ...leaf, argv: [toScratch(program), ...rest.map(toScratch)] };
}
