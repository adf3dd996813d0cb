// The handle through which commands run: judged once more as they are started, in the workspace that was judged, by programs
// of the system that read nobody's settings, and only ever in the sandbox.
import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { DeclaredAct, JudgedAct } from '../../shared/act.ts';
import type { EgressAttempt } from '../net/egress-proxy/egress-proxy.ts';
import type { Stance } from '../policy/policy.ts';
import { findHostHelper } from '../process/find-host-helper.ts';
import { findSystemProgram } from '../process/find-system-program.ts';
import { defaultLimits, type Sandbox, type SandboxLimits, type SandboxSpec } from '../sandbox/sandbox.ts';
import { findToolchains, toReach } from '../sandbox/toolchain/find-toolchains.ts';
import { toSandboxEnvironment } from '../sandbox/toolchain/to-sandbox-environment.ts';
import { findWayOut } from './find-way-out.ts';
import type { Command, CommandEnd, CommandOptions, GitCommand, GuardedCommands } from './guard.ts';
import { findRefusal } from './judge-resolved.ts';
import type { LiveProcesses } from './live-processes.ts';
import { mayWrite } from './may-write.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { readGitIdentity } from './read-git-identity.ts';
import { runProcess } from './run-process.ts';
import { runThroughProxy } from './run-through-proxy.ts';
import { toGitInvocation } from './to-git-invocation.ts';

export interface GuardedCommandsOptions {
  readonly root: WorkspaceRoot;
  readonly sandbox: Sandbox;
  readonly stance: Stance;
  readonly onAttempt: (attempt: EgressAttempt) => void;
  readonly judge: (act: DeclaredAct) => Promise<readonly JudgedAct[]>;
  /** What of the workspace does not exist for a command. */
  readonly hidden: () => Promise<readonly string[]>;
  /** Those that work in the workspace itself. */
  readonly processes: LiveProcesses;
}

export function createGuardedCommands(options: GuardedCommandsOptions): GuardedCommands {
  return {
    directory: options.root.identity.path,
    get environmentNames() {
      return Object.keys(toSandboxEnvironment(findToolchains(toReach(options.sandbox.isolation)))).sort();
    },
    async opensNetwork(command, permitted) {
      const { sandbox, stance, judge } = options;
      return findWayOut(await judge(toAct(command)), { sandbox, stance, permitted }) !== null;
    },
    opensWorkspace: (writes) =>
      options.sandbox.isolation === 'bwrap' && mayWrite({ stance: options.stance, permitted: writes }),
    run: (command, signal) => runCommand(options, command, signal),
  };
}

async function runCommand(
  { root, sandbox, stance, onAttempt, judge, hidden, processes }: GuardedCommandsOptions,
  { command, wallMs, permitted, network = false, process }: CommandOptions,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const acts = await judge(toAct(command));
  const refusals = acts.map(({ verdict }) => findRefusal(verdict, permitted));
  const because = refusals.find((refusal) => refusal !== null) ?? findReplacement(root);
  if (because !== null) return { kind: 'refused', because };
  const started = toStarted(command, root.identity.path);
  if ('missing' in started) return { kind: 'refused', because: started.missing };
  if (process !== undefined) {
    if (sandbox.isolation !== 'bwrap') return { kind: 'refused', because: noProcess };
    const lasting = { ...started, limits: { ...processLimits, wallMs } };
    const place = { root, sandbox, stance, processes, hidden: await hidden() };
    return await runProcess({ ...place, process, command: lasting }, signal);
  }
  const directory = { mode: 'staged', workspace: root.identity.path, hidden: await hidden() } as const;
  const spec: SandboxSpec = { ...started, directory, limits: { ...defaultLimits, wallMs } };
  const wayOut = network ? findWayOut(acts, { sandbox, stance, permitted }) : null;
  if (wayOut === null) return { kind: 'ran', result: await sandbox.run(spec, signal), unreached: [] };
  return { kind: 'ran', ...(await runThroughProxy(spec, { sandbox, judge: wayOut.judge, onAttempt }, signal)) };
}

/** Nobody waits for its end, so its time is not that of a command, and what it writes is read as it comes. */
const processLimits: SandboxLimits = { ...defaultLimits, cpuMs: null, outputBytes: 2, writtenBytes: 1024 ** 4 };

/** Under anything else it could write where nobody has judged it, or would see a copy that is out of date. */
const noProcess = 'a process that is kept running needs bubblewrap here, and commands are not enclosed by it';

function toAct(command: Command): DeclaredAct {
  if ('line' in command) return { kind: 'exec', line: command.line };
  if ('argv' in command) return { kind: 'exec', argv: command.argv };
  return { kind: 'exec', argv: command.git.act, leavesOutUnreadable: true };
}

type Started = Pick<SandboxSpec, 'argv' | 'environment'> | { readonly missing: string };

function toStarted(command: Command, workspace: string): Started {
  if ('git' in command) return startGit(command.git);
  if ('argv' in command) return { argv: toStartedArgv(command.argv, workspace), environment: {} };
  const bash = findSystemProgram('bash');
  if (bash === null) return { missing: noBash };
  return { argv: [bash, '--noprofile', '--norc', '-c', command.line], environment: {} };
}

/** Another shell may take the line for something else than what was judged. */
const noBash = 'bash is not installed, and what was judged is what bash would run';

/** A name with a `/` in it is a path from the workspace on, as it is for a shell. */
function toStartedArgv([program, ...rest]: SandboxSpec['argv'], workspace: string): SandboxSpec['argv'] {
  const isRelative = program.includes('/') && !isAbsolute(program);
  return [isRelative ? join(workspace, program) : program, ...rest];
}

function startGit(command: GitCommand): Started {
  const git = findHostHelper('git');
  if (git === null) return { missing: 'git is not installed where the system keeps its programs' };
  const { words, environment } = toGitInvocation(command);
  const identity = command.author === 'person' ? readGitIdentity() : {};
  return { argv: [git, ...words], environment: { ...environment, ...identity } };
}

/** A command starts by path: it must still be the path of the directory that was judged. */
function findReplacement({ identity, directory }: WorkspaceRoot): string | null {
  const stats = statSync(identity.path, { bigint: true, throwIfNoEntry: false });
  const isSame = stats?.dev === directory.device && stats.ino === directory.inode;
  return isSame ? null : `${JSON.stringify(identity.path)} is no longer the directory that the run works in`;
}
