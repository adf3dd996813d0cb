// The portable floor under every other backend: caps, a scrubbed environment and a private home, but no boundary. It runs
// commands as the invoking user and says so. The first cap to be hit decides; an end that nobody here caused is reported
// as what it was, never guessed to be a cap.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { assertNever } from '../../shared/assert-never.ts';
import { captureOutput } from '../process/capture-output.ts';
import type { ProcessEnd } from '../process/process-end.ts';
import type { ProcessTree } from '../process/process-tree.ts';
import { resolveProgram } from '../process/resolve-program.ts';
import { scrubbedEnvironment } from '../process/scrubbed-environment.ts';
import { spawnProcess } from '../process/spawn-process.ts';
import { findMissingInterpreter } from './find-missing-interpreter.ts';
import { limitCommand } from './limit-command.ts';
import { exceedsMemory } from './measure-memory.ts';
import { createPrivateDirectory } from './private-directory.ts';
import type { CapHit, Sandbox, SandboxLimits, SandboxResult, SandboxSpec } from './sandbox.ts';

const memoryPollMs = 100;

/** CPU time and file size are limited for each process by the kernel, memory for the whole tree by looking (Linux). */
export function createFloorSandbox(): Sandbox {
  return { isolation: 'none', run: runOnFloor };
}

async function runOnFloor(spec: SandboxSpec, signal: AbortSignal): Promise<SandboxResult> {
  const [name, ...rest] = spec.argv;
  const program = resolveProgram(name);
  if (program === null) return notStarted(name, 'there is no such executable program');
  const interpreter = findMissingInterpreter(program);
  if (interpreter !== null) return notStarted(name, `its interpreter ${interpreter} is missing`);
  await using scratch = await createPrivateDirectory();
  return await runIn(scratch.path, { ...spec, argv: [program, ...rest] }, signal);
}

async function runIn(scratch: string, spec: SandboxSpec, signal: AbortSignal): Promise<SandboxResult> {
  const stdout = captureOutput(spec.limits.outputBytes);
  const stderr = captureOutput(spec.limits.outputBytes);
  const memory = watchMemory(spec.limits.memoryBytes, signal);
  const startedAt = performance.now();
  try {
    const end = await spawnProcess({
      argv: limitCommand(spec.argv, spec.limits),
      directory: spec.directory,
      environment: { ...spec.environment, ...(await createHome(scratch)) },
      signal: memory.signal,
      wallMs: spec.limits.wallMs,
      onStdout: stdout.push,
      onStderr: stderr.push,
      onStart: memory.watch,
    });
    if (end.kind === 'not-started') return notStarted(spec.argv[0], end.reason);
    const durationMs = performance.now() - startedAt;
    const ran = { isolation: 'none', stdout: stdout.read(), stderr: stderr.read(), durationMs } as const;
    return { ...toOutcome(end, spec.limits, memory.exceeded()), ...ran };
  } finally {
    memory.stop();
  }
}

async function createHome(scratch: string): Promise<Record<string, string>> {
  const home = join(scratch, 'home');
  const temporary = join(scratch, 'tmp');
  await Promise.all([mkdir(home), mkdir(temporary)]);
  return scrubbedEnvironment(home, temporary);
}

/** Looks at a running tree from time to time; one that has grown too large gets no grace, or it would go on growing. */
function watchMemory(maxBytes: number | null, outer: AbortSignal) {
  const grown = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  return {
    signal: AbortSignal.any([outer, grown.signal]),
    watch(tree: ProcessTree): void {
      if (maxBytes === null) return;
      timer = setInterval(() => {
        if (outer.aborted || !exceedsMemory(tree.members(memoryPollMs / 2), maxBytes)) return;
        tree.signal('SIGKILL');
        grown.abort();
      }, memoryPollMs);
    },
    exceeded: () => grown.signal.aborted,
    stop: () => clearInterval(timer),
  };
}

type Outcome =
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string }
  | ({ readonly kind: 'cap' } & CapHit)
  | { readonly kind: 'cancelled' };

function toOutcome(
  end: Exclude<ProcessEnd, { kind: 'not-started' }>,
  limits: SandboxLimits,
  memoryExceeded: boolean,
): Outcome {
  switch (end.kind) {
    case 'exit':
      return end;
    case 'signal':
      return toKernelCap(end.signal, limits) ?? end;
    case 'timeout':
      return { kind: 'cap', cap: 'wall', enforcement: 'polled' };
    case 'cancelled':
      return memoryExceeded ? { kind: 'cap', cap: 'memory', enforcement: 'polled' } : end;
    default:
      return assertNever(end);
  }
}

function toKernelCap(signal: string, limits: SandboxLimits): Outcome | undefined {
  if (signal === 'SIGXCPU' && limits.cpuSeconds !== null) return { kind: 'cap', cap: 'cpu', enforcement: 'kernel' };
  if (signal === 'SIGXFSZ' && limits.fileBytes !== null) return { kind: 'cap', cap: 'file', enforcement: 'kernel' };
  return undefined;
}

function notStarted(program: string, reason: string): SandboxResult {
  return { kind: 'not-started', program, reason };
}
