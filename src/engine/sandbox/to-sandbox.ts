// A backend and the supervisor together are a sandbox.
import { findSpecFault } from './find-spec-fault.ts';
import type { Backend, StagingWay } from './launch.ts';
import { recordSandbox } from './leftovers/record-sandbox.ts';
import type { Sandbox, SandboxResult, SandboxSpec } from './sandbox.ts';
import { neverBegun, supervise } from './supervise.ts';
import { toStartFailure } from './to-start-failure.ts';

export function toSandbox(backend: Backend): Sandbox {
  return { isolation: backend.isolation, run: (spec, signal) => run(backend, spec, signal) };
}

async function run(backend: Backend, spec: SandboxSpec, signal: AbortSignal): Promise<SandboxResult> {
  const program = spec.argv[0];
  const result = findSpecFault(spec) ?? (await attempt(backend, spec, signal, 'overlay'));
  // Nothing has run, and it is the same sandbox: only the way to a workspace that can be written to is another.
  const again = result.kind === 'not-started' && result.tryCopy ? await attempt(backend, spec, signal, 'copy') : result;
  if (again.kind !== 'not-started') return { ...again, isolation: backend.isolation };
  const { tryCopy: _, ...failure } = again;
  return { ...failure, program };
}

async function attempt(backend: Backend, spec: SandboxSpec, signal: AbortSignal, staging: StagingWay) {
  const launch = await backend.prepare(spec, signal, staging).catch(toStartFailure);
  if (launch.kind === 'not-started') return signal.aborted ? neverBegun : launch;
  await using owned = launch;
  const recorded = record({ isolation: backend.isolation, ...owned.bears });
  if (recorded.kind === 'not-started') return recorded;
  using ofSandbox = recorded.of;
  const { session, limits } = spec;
  return await supervise(owned, limits, signal, { session, onStart: (pid) => ofSandbox.addProcess(pid) });
}

/** Before anything runs: should the engine be killed, the next one finds what is left by it. */
function record(sandbox: Parameters<typeof recordSandbox>[0]) {
  try {
    return { kind: 'recorded', of: recordSandbox(sandbox) } as const;
  } catch (error) {
    return toStartFailure(error);
  }
}
