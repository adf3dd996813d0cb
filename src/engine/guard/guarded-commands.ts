// The handle through which commands run: judged once more as they are started, in the workspace that was judged, by a shell
// of the system that reads no start files, and only ever in the sandbox.
import { statSync } from 'node:fs';
import type { JudgedAct } from '../../shared/act.ts';
import { resolveProgram } from '../process/resolve-program.ts';
import { scrubbedEnvironment } from '../process/scrubbed-environment.ts';
import { defaultLimits, type Sandbox } from '../sandbox/sandbox.ts';
import type { CommandEnd, CommandOptions, GuardedCommands } from './guard.ts';
import { findRefusal } from './judge-resolved.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';

export interface GuardedCommandsOptions {
  readonly root: WorkspaceRoot;
  readonly sandbox: Sandbox;
  readonly judge: (line: string) => Promise<readonly JudgedAct[]>;
}

export function createGuardedCommands(options: GuardedCommandsOptions): GuardedCommands {
  return {
    get environmentNames() {
      return Object.keys(scrubbedEnvironment('/', '/')).sort();
    },
    run: (command, signal) => runCommand(options, command, signal),
  };
}

async function runCommand(
  { root, sandbox, judge }: GuardedCommandsOptions,
  { line, wallMs, permitted }: CommandOptions,
  signal: AbortSignal,
): Promise<CommandEnd> {
  const refusals = (await judge(line)).map(({ verdict }) => findRefusal(verdict, permitted));
  const because = refusals.find((refusal) => refusal !== null) ?? findReplacement(root);
  if (because !== null) return { kind: 'refused', because };
  const bash = resolveProgram('bash');
  if (bash === null) return { kind: 'refused', because: noBash };
  const spec = {
    argv: [bash, '--noprofile', '--norc', '-c', line] as const,
    directory: root.identity.path,
    environment: {},
    limits: { ...defaultLimits, wallMs },
  };
  return { kind: 'ran', result: await sandbox.run(spec, signal) };
}

/** A command starts by path: it must still be the path of the directory that was judged. */
function findReplacement({ identity, directory }: WorkspaceRoot): string | null {
  const stats = statSync(identity.path, { bigint: true, throwIfNoEntry: false });
  const isSame = stats?.dev === directory.device && stats.ino === directory.inode;
  return isSame ? null : `${JSON.stringify(identity.path)} is no longer the directory that the run works in`;
}

/** Another shell may take the line for something else than what was judged. */
const noBash = 'bash is not installed, and what was judged is what bash would run';
