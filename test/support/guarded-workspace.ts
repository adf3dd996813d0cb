// A real workspace in a temporary directory, with a guard over it and its tools called the way the loop calls them: parse,
// judge, prepare, replace, remember what was seen. Beside it lies a directory that no act may reach.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Guard } from '../../src/engine/guard/guard.ts';
import { openGuard } from '../../src/engine/guard/open-guard.ts';
import { defaultPolicy } from '../../src/engine/policy/default-policy.ts';
import type { Policy } from '../../src/engine/policy/policy.ts';
import { createTools } from '../../src/engine/tool/create-tools.ts';
import { parseArguments } from '../../src/engine/tool/parse-arguments.ts';
import type { BlobHash } from '../../src/shared/id.ts';

export interface GuardedWorkspace extends AsyncDisposable {
  readonly path: string;
  /** A directory outside the workspace, for links to lead to. */
  readonly outside: string;
  /** Stands for the engine's own directory. */
  readonly home: string;
  readonly guard: Guard;
  /** What the agent last saw of each file. */
  readonly seen: Map<string, BlobHash>;
  write(path: string, content: string | Uint8Array): void;
  read(path: string): Buffer;
  call(tool: string, args: unknown): Promise<{ readonly status: string; readonly text: string }>;
}

export async function openGuardedWorkspace(policy: Policy = defaultPolicy): Promise<GuardedWorkspace> {
  const base = mkdtempSync(join(tmpdir(), 'io-studio-guard-'));
  const [path, outside, home] = [join(base, 'workspace'), join(base, 'outside'), join(base, 'home')];
  for (const directory of [path, outside, home]) mkdirSync(directory);
  const guard = await openGuard({ workspace: path, home, policy });
  const seen = new Map<string, BlobHash>();
  return {
    path,
    outside,
    home,
    guard,
    seen,
    write: (file, content) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), content);
    },
    read: (file) => readFileSync(join(path, file)),
    call: (tool, args) => callTool(guard, seen, tool, args),
    [Symbol.asyncDispose]: async () => {
      guard.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

const tools = createTools();

async function callTool(guard: Guard, seen: Map<string, BlobHash>, name: string, args: unknown) {
  const tool = tools.get(name);
  if (tool === undefined) throw new Error(`There is no tool ${name}.`);
  const parsed = parseArguments(tool, JSON.stringify(args));
  if (parsed.kind === 'unusable') return { status: 'unusable', text: parsed.message };
  for (const act of tool.acts(parsed.arguments)) {
    const { verdict } = await guard.judge(act);
    if (verdict.effect === 'deny') return { status: 'denied', text: verdict.because };
  }
  const { signal } = new AbortController();
  const plan = await tool.prepare(parsed.arguments, { files: guard.files, lastSeen: (path) => seen.get(path), signal });
  if (plan.kind === 'change') {
    const replaced = await guard.replace(plan.path, plan.before?.hash ?? null, plan.after);
    if (replaced.kind !== 'replaced') return { status: replaced.kind, text: JSON.stringify(replaced) };
  }
  const result = plan.kind === 'look' ? await plan.run() : plan.result;
  for (const file of result.seen) seen.set(file.path, file.hash);
  return { status: result.status, text: result.text };
}

/** Every path below `directory`, sorted: what a test compares to see that nothing was made or left behind. */
export function listTree(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
}
