// The launch of one command into a job: what is started first waits outside of everything, in an environment that is not the
// command's, until the job has it.

import { type ChildProgram, startChild } from '../../process/start-child.ts';
import type { Launch } from '../launch.ts';
import type { LaidOut } from '../lay-out-directory.ts';
import type { SandboxLimits } from '../sandbox.ts';
import { beginInJob } from './begin-in-job.ts';
import type { Job, JobBroker } from './job-broker.ts';
import { stubSource } from './stub-source.ts';

export interface LaunchParts {
  readonly broker: JobBroker;
  readonly systemRoot: string;
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
  readonly place: LaidOut;
  /** Disposed of with the launch. */
  readonly resources: AsyncDisposable;
}

export function createLaunch({ systemRoot, place, resources, ...parts }: LaunchParts): Launch {
  let job: Job | null = null;
  const keep = (opened: Job): void => {
    job = opened;
  };
  const program: ChildProgram = {
    argv: [process.execPath, '-e', stubSource],
    environment: { SystemRoot: systemRoot, ...asNode },
    directory: place.path,
    identity: null,
    descriptors: ['channel'],
  };
  return {
    kind: 'launch',
    start: (input) => startChild(program, input),
    // A job ends with its broker, and that with the engine.
    bears: { uid: null, mark: null },
    keptByKernel: new Set(['memoryBytes', 'processes']),
    begin: (child, signal) => beginInJob(child, { ...parts, keep }, signal),
    readLeavings: () => place.readLeavings(),
    async [Symbol.asyncDispose]() {
      job?.close();
      await resources[Symbol.asyncDispose]();
    },
  };
}

/** The program of the engine inside Electron is a Node only when it is told to be one. */
const asNode = 'electron' in process.versions ? { ELECTRON_RUN_AS_NODE: '1' } : {};
