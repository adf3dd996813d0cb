// One command that goes on running in the workspace itself, from the look at what it may do there to the look at what it
// did. What it may write is settled when it starts, and nothing that happens meanwhile widens it.

import type { Stance } from '../policy/policy.ts';
import { watchCovers } from '../sandbox/bound/watch-covers.ts';
import type { Sandbox, SandboxDirectory, SandboxSpec } from '../sandbox/sandbox.ts';
import { toOutermost } from '../sandbox/to-outermost.ts';
import { type BoundPlan, bindWorkspace } from './bind-workspace.ts';
import type { BoundWorkspace, CommandEnd, LastingProcess, LeftWorkspace } from './guard.ts';
import { judgeLeft } from './judge-left.ts';
import type { LiveProcess, LiveProcesses } from './live-processes.ts';
import { noWrites } from './may-write.ts';
import type { WorkspaceRoot } from './open-workspace-root.ts';
import { createAsideShelf } from './set-aside.ts';

export interface RunProcessOptions {
  readonly root: WorkspaceRoot;
  readonly sandbox: Sandbox;
  readonly stance: Stance;
  readonly processes: LiveProcesses;
  readonly process: LastingProcess;
  /** Relative paths of what does not exist for it. */
  readonly hidden: readonly string[];
  readonly command: Omit<SandboxSpec, 'directory' | 'session'>;
}

export async function runProcess(options: RunProcessOptions, signal: AbortSignal): Promise<CommandEnd> {
  const { root, sandbox, processes, process, command } = options;
  const hidden = toOutermost(options.hidden);
  const plan = await settlePlan(options);
  const shut = plan.kind === 'open' ? plan.covers.filter(({ access }) => access === 'read') : [];
  const paths = [...hidden, ...shut.map(({ path }) => path)];
  using live = processes.add({ name: process.name, shut: new Set(paths) });
  const bared = new AbortController();
  const isSecret = (path: string): boolean => hidden.includes(path);
  // What it must not read it could read from now on. What it must not write is told when it has ended.
  const onLost = (path: string): void => (isSecret(path) ? bared.abort() : undefined);
  using watch = watchCovers({ workspace: root.identity.path, paths, onLost });
  const bound = toBound(plan, hidden.length);
  process.onWorkspace(bound);
  const spec = { ...command, directory: toDirectory(options, plan), session: process.session };
  const result = await sandbox.run(spec, AbortSignal.any([signal, bared.signal]));
  if (result.kind === 'not-started') return { kind: 'ran', result, unreached: [] };
  watch.look();
  const lost = [...watch.lost].sort().map((path) => toLoss(path, isSecret(path)));
  return { kind: 'ran', result, unreached: [], workspace: await lookThrough(options, { plan, bound, live, lost }) };
}

async function settlePlan({ root, hidden, process, stance }: RunProcessOptions): Promise<BoundPlan> {
  if (process.writes === 'none') return { kind: 'shut', because: noWrites };
  return await bindWorkspace(root, hidden, { stance, permitted: process.writes });
}

function toDirectory({ root, hidden }: RunProcessOptions, plan: BoundPlan): SandboxDirectory {
  const place = { mode: 'bound', workspace: root.identity.path, hidden } as const;
  if (plan.kind === 'shut') return { ...place, isReadOnly: true };
  return { ...place, isReadOnly: plan.isReadOnly, covers: plan.covers };
}

function toBound(plan: BoundPlan, hidden: number): BoundWorkspace {
  if (plan.kind === 'shut') {
    const policyEnforcement = { masked: hidden, checkedAfter: 0, uncovered: [] };
    return { access: 'read', because: plan.because, policyEnforcement };
  }
  const masked = hidden + plan.covers.length;
  const policyEnforcement = { masked, checkedAfter: plan.manifest.entries.size, uncovered: plan.uncovered };
  return { access: 'write', because: null, policyEnforcement };
}

function toLoss(path: string, isSecret: boolean): string {
  const what = `${path} was replaced by somebody else, which took its cover away`;
  return isSecret ? `${what}: the process was ended at once` : what;
}

interface Looked {
  readonly plan: BoundPlan;
  readonly bound: BoundWorkspace;
  readonly live: LiveProcess;
  /** What was laid bare meanwhile, as sentences. */
  readonly lost: readonly string[];
}

/** So many changes are told one by one; the rest is counted. */
const maxTold = 1000;

async function lookThrough(
  { root, process, stance }: RunProcessOptions,
  { plan, bound, live, lost }: Looked,
): Promise<LeftWorkspace> {
  const { masked, checkedAfter, uncovered } = bound.policyEnforcement;
  const toEnforcement = (more: readonly string[]) => ({
    masked,
    checkedAfter,
    uncovered: [...uncovered, ...lost, ...more],
  });
  if (plan.kind === 'shut')
    return { ...bound, policyEnforcement: toEnforcement([]), changes: [], untold: 0, shelf: null };
  const now = await plan.lookAgain();
  const shelf = createAsideShelf(root, process.name);
  const permission = { stance, permitted: process.writes === 'ask' ? 'ask' : 'allow' } as const;
  const changes = await judgeLeft({ root, plan, now, live, shelf, permission });
  // What may not be there is news, whatever else there is.
  const told = changes.toSorted((one, other) => Number(one.because === null) - Number(other.because === null));
  const unread = now.unread.filter((path) => !uncovered.includes(path));
  const cut = now.isWhole ? [] : ['there is too much in the workspace now for all of it to be looked through'];
  return {
    ...bound,
    policyEnforcement: toEnforcement([...unread, ...cut]),
    changes: told.slice(0, maxTold),
    untold: Math.max(0, told.length - maxTold),
    shelf: shelf.path,
  };
}
