// The launch of one command in Seatbelt: the system's `sandbox-exec` takes the profile upon itself and becomes a shell, which
// sets the limits, says that it began and becomes the command.
import { randomUUID } from 'node:crypto';
import { treeVariable } from '../../process/process-index.ts';
import { type ChildProgram, startChild } from '../../process/start-child.ts';
import type { Owner } from '../box-files.ts';
import type { Launch } from '../launch.ts';
import type { LaidOut } from '../lay-out-directory.ts';
import { limitCommand } from '../limit-command.ts';
import type { SandboxLimits } from '../sandbox.ts';
import { announceCommand, beginInSeatbelt } from './begin-in-seatbelt.ts';
import type { ProcessSources } from './list-processes.ts';
import { createListedTree } from './listed-tree.ts';

export interface LaunchParts {
  readonly sandboxExec: string;
  /** The file with the profile. */
  readonly profile: string;
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
  /** Null: the engine's own user. */
  readonly owner: Owner | null;
  readonly place: LaidOut;
  readonly sources: ProcessSources;
  /** Disposed of with the launch. */
  readonly resources: AsyncDisposable;
}

export function createLaunch(parts: LaunchParts): Launch {
  const { sandboxExec, profile, argv, environment, limits, owner, place, sources, resources } = parts;
  const mark = randomUUID();
  // The kernel would count every process of the person.
  const command = limitCommand(announceCommand(argv), { ...limits, processes: null });
  const program: ChildProgram = {
    argv: [sandboxExec, '-f', profile, ...command],
    environment: { ...environment, [treeVariable]: mark },
    directory: place.path,
    identity: owner,
    descriptors: ['channel'],
  };
  return {
    kind: 'launch',
    start: (input) => startChild(program, input),
    bears: { uid: owner?.uid ?? null, mark },
    keptByKernel: new Set(['fileBytes']),
    begin: (child, signal) => beginInSeatbelt(child, createListedTree({ child, mark, sources }), signal),
    readLeavings: () => place.readLeavings(),
    [Symbol.asyncDispose]: () => resources[Symbol.asyncDispose](),
  };
}
