// A real workspace in a temporary directory, with a guard over it and its tools called the way the loop calls them: parse,
// judge, prepare, replace, remember what was seen. Beside it lies a directory that no act may reach.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileReplaced, Guard, GuardedFiles } from '../../src/engine/guard/guard.ts';
import { openGuard } from '../../src/engine/guard/open-guard.ts';
import { createPageFetcher, type FetchPage } from '../../src/engine/net/fetch-page.ts';
import { defaultPolicy } from '../../src/engine/policy/default-policy.ts';
import type { Policy, Stance } from '../../src/engine/policy/policy.ts';
import type { Leavings, Sandbox } from '../../src/engine/sandbox/sandbox.ts';
import { createTools } from '../../src/engine/tool/create-tools.ts';
import { parseArguments } from '../../src/engine/tool/parse-arguments.ts';
import { createProcesses, type Processes } from '../../src/engine/tool/process/processes.ts';
import type { FileHistory } from '../../src/engine/tool/tool.ts';
import type { DeclaredAct, JudgedAct } from '../../src/shared/act.ts';
import type { BlobHash } from '../../src/shared/id.ts';
import { createFloorSandbox } from './floor-sandbox.ts';

export interface GuardedWorkspace extends AsyncDisposable {
  readonly path: string;
  /** A directory outside the workspace, for links to lead to. */
  readonly outside: string;
  /** Stands for the engine's own directory. */
  readonly home: string;
  readonly guard: Guard;
  readonly stance: Stance;
  /** The guard's files, for somebody who was asked about everything. */
  readonly files: GuardedFiles;
  /** What its calls keep going. */
  readonly processes: Processes;
  /** What the agent last saw of each file. */
  readonly seen: Map<string, BlobHash>;
  /** Every part of an act, judged. */
  judge(act: DeclaredAct): Promise<readonly [JudgedAct, ...JudgedAct[]]>;
  /** Replaces a file for somebody who was asked. */
  replace(path: string, before: BlobHash | null, after: Uint8Array): Promise<FileReplaced>;
  write(path: string, content: string | Uint8Array): void;
  read(path: string): Buffer;
  call(tool: string, args: unknown): Promise<{ readonly status: string; readonly text: string }>;
}

export interface GuardedWorkspaceOptions {
  /** Where it is made. */
  readonly directory?: string;
  /** Without it pages come without any proxy. */
  readonly fetchPage?: FetchPage;
  /** What its commands run in; without it nothing encloses them. */
  readonly sandbox?: Sandbox;
}

/** With the default policy where none is given. */
export async function openGuardedWorkspace(
  policy: Policy = defaultPolicy,
  options: GuardedWorkspaceOptions = {},
): Promise<GuardedWorkspace> {
  const { directory = tmpdir(), fetchPage = createPageFetcher({ environment: {} }) } = options;
  const { sandbox = createFloorSandbox() } = options;
  const base = realpathSync(mkdtempSync(join(directory, 'io-studio-guard-')));
  const [path, outside, home] = [join(base, 'workspace'), join(base, 'outside'), join(base, 'home')];
  for (const each of [path, outside, home]) mkdirSync(each);
  const guard = await openGuard({ workspace: path, home, sandbox, fetchPage });
  const stance: Stance = { policy, isTainted: false, isolation: sandbox.isolation ?? 'none' };
  const seen = new Map<string, BlobHash>();
  const processes = createProcesses();
  return {
    path,
    outside,
    home,
    guard,
    stance,
    files: guard.files(stance, 'ask'),
    seen,
    processes,
    judge: (act) => guard.judge(act, stance),
    replace: (file, before, after) => guard.replace(file, { before, after, permitted: 'ask' }, stance),
    write: (file, content) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), content);
    },
    read: (file) => readFileSync(join(path, file)),
    call: (tool, args) => callTool({ guard, stance, seen, processes }, tool, args),
    [Symbol.asyncDispose]: async () => {
      await processes[Symbol.asyncDispose]();
      guard.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Of an agent that works alone and has looked at nothing. */
export const noHistory: FileHistory = {
  lastSeen: () => undefined,
  lastWriter: () => null,
  contentOf: () => null,
  holdsSecret: () => false,
};

const tools = createTools({ commands: true, network: true, plan: true, agents: false });

async function callTool(
  { guard, stance, seen, processes }: Pick<GuardedWorkspace, 'guard' | 'stance' | 'seen' | 'processes'>,
  name: string,
  args: unknown,
) {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const parsed = parseArguments(tool, JSON.stringify(args));
  if (parsed.kind === 'unusable') return { status: 'unusable', text: parsed.message };
  const judged = (await Promise.all(tool.acts(parsed.arguments).map((act) => guard.judge(act, stance)))).flat();
  const denied = judged.find(({ verdict }) => verdict.effect === 'deny');
  if (denied !== undefined) return { status: 'denied', text: denied.verdict.because };
  const permitted = judged.some(({ verdict }) => verdict.effect === 'ask') ? 'ask' : 'allow';
  const plan = await tool.prepare(parsed.arguments, {
    files: guard.files(stance, permitted),
    commands: guard.commands(stance),
    fetches: guard.fetches(stance, permitted),
    processes,
    permitted,
    unasked: 'allow',
    history: { ...noHistory, lastSeen: (path) => seen.get(path) },
    signal: new AbortController().signal,
  });
  if (plan.kind === 'change') {
    const before = plan.before?.hash ?? null;
    const replaced = await guard.replace(plan.path, { before, after: plan.after, permitted }, stance);
    if (replaced.kind !== 'replaced') return { status: replaced.kind, text: JSON.stringify(replaced) };
  }
  if (plan.kind === 'spawn' || plan.kind === 'hold' || plan.kind === 'mail') throw new Error(`${name} needs a tree`);
  const ended = 'run' in plan ? await plan.run() : plan;
  if ('leavings' in ended) await makeChanges({ guard, stance }, ended.leavings, permitted);
  const result = 'result' in ended ? ended.result : ended;
  for (const file of result.seen) seen.set(file.path, file.hash);
  return { status: result.status, text: result.text };
}

/** What a command left, made as far as it may be. */
async function makeChanges(
  { guard, stance }: Pick<GuardedWorkspace, 'guard' | 'stance'>,
  leavings: Leavings,
  permitted: 'allow' | 'ask',
): Promise<void> {
  for (const change of leavings.kind === 'changes' ? leavings.changes : []) {
    await guard.change(change, { permitted }, stance);
  }
}

/** Every path below `directory`, sorted: what a test compares to see that nothing was made or left behind. */
export function listTree(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
}
