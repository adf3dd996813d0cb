// Commands on Windows, each in a job object of its own: the kernel keeps it to its memory, its processes and its time, and
// ends all of it at once, also when the engine is gone. A job keeps nothing from the files and the network of the person,
// and the result says so.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { boxPath } from '../box-files.ts';
import type { Backend, Launch, StartFailure } from '../launch.ts';
import { layOutDirectory } from '../lay-out-directory.ts';
import { createPrivateDirectory } from '../private-directory.ts';
import type { SandboxDirectory, SandboxSpec } from '../sandbox.ts';
import { createLaunch } from './create-launch.ts';
import { findWindowsProgram } from './find-windows-program.ts';
import type { JobBroker } from './job-broker.ts';
import { toWindowsEnvironment, toWindowsPath } from './windows-environment.ts';

export interface JobObjectBackendOptions {
  readonly broker: JobBroker;
  readonly systemRoot: string;
  /** Directories of programs that come before those of the system. */
  readonly programs: readonly string[];
}

export function createJobObjectBackend(options: JobObjectBackendOptions): Backend {
  return { isolation: 'none', prepare: (spec, signal) => prepare(options, spec, signal) };
}

/** A proxy that nobody has to use holds nobody back. */
const noNetwork: StartFailure = {
  kind: 'not-started',
  stage: 'unavailable',
  reason: 'nothing here keeps a command to some hosts',
};

async function prepare(
  options: JobObjectBackendOptions,
  spec: SandboxSpec,
  signal: AbortSignal,
): Promise<Launch | StartFailure> {
  if (spec.network?.kind === 'proxy') return noNetwork;
  const unfit = await options.broker.ready();
  if (unfit !== null) return { kind: 'not-started', stage: 'unavailable', reason: unfit };
  await using owned = new AsyncDisposableStack();
  const scratch = owned.use(await createPrivateDirectory());
  const place = await layOutDirectory(toOpen(spec.directory), {
    into: scratch.path,
    owner: null,
    maxFileBytes: spec.limits.diskBytes,
    signal,
  });
  if (place.kind === 'not-started') return place;
  const named = spec.directory.mode === 'ephemeral' ? boxPath : spec.directory.workspace;
  const sight = { path: toWindowsPath(options), directory: { named, real: place.path } };
  const program = findWindowsProgram(spec.argv[0], sight);
  if (program.kind === 'not-started') return program;
  const home = join(scratch.path, 'home');
  await mkdir(home);
  return createLaunch({
    broker: options.broker,
    systemRoot: options.systemRoot,
    argv: [program.path, ...spec.argv.slice(1)],
    environment: toWindowsEnvironment(spec.environment, { ...options, scratch: home }),
    limits: spec.limits,
    place,
    resources: owned.move(),
  });
}

/** Nothing can be hidden from a command that nothing encloses; who lets commands run here has agreed to that. */
function toOpen(directory: SandboxDirectory): SandboxDirectory {
  return directory.mode === 'bound' ? { ...directory, hidden: [] } : directory;
}
