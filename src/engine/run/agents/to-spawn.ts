// What a call amounts to that asks for an agent: its task, the words it begins with, and what it is held to. It follows from
// the call and the folded state alone, so that a replay comes to the same.
import type { AgentWorktree } from '../../../shared/agent-worktree.ts';
import type { DriverEventBody, EventPlace } from '../../../shared/event.ts';
import { agentOf } from '../../../shared/find-in-run.ts';
import { toChildId } from '../../../shared/id.ts';
import type { RunState } from '../../../shared/run-state.ts';
import { Budgets } from '../../../shared/task-contract.ts';
import { createBlob } from '../../journal/create-blob.ts';
import type { NewBlob } from '../../journal/journal.ts';
import { toToolBytes, toToolSpecs } from '../../tool/to-tool-spec.ts';
import type { CallPorts } from '../driver-ports.ts';
import { systemPrompt } from '../to-prompt.ts';
import { toTitle } from '../to-title.ts';
import type { SpawnCall } from './agent-call.ts';
import { toAgentPrompt } from './to-agent-prompt.ts';
import { type RoleSource, withRole } from './with-role.ts';

interface SpawnPorts extends Pick<CallPorts, 'tools' | 'redactor' | 'priceOf'> {
  readonly contract: RoleSource;
}

export interface SpawnSource extends SpawnPorts {
  /** Made for it; without one it works where the one works that asks. */
  readonly worktree?: AgentWorktree;
}

export interface Spawn {
  readonly body: Omit<Extract<DriverEventBody, { type: 'agent-spawn' }>, 'activeMs'>;
  readonly blobs: readonly NewBlob[];
}

/** `place` is that of the agent that asks. */
export function toSpawn(ports: SpawnSource, state: RunState, place: EventPlace, call: number, wish: SpawnCall): Spawn {
  const { task, tools: wished, budgets, model, isDetached } = withRole(wish, ports.contract);
  const { redactor, worktree } = ports;
  const isApart = worktree !== undefined;
  const child = toChildId(place.agentId, place.step, call);
  const tools = chooseTools(state, place, [...ports.tools.keys()], wished);
  const steps = budgets.steps === undefined ? {} : { steps: budgets.steps };
  const limits = Budgets.parse({
    ...steps,
    tokens: budgets.tokens ?? null,
    costUsd: budgets.costUsd ?? null,
    wallMs: budgets.wallMs ?? null,
    retries: state.settings.budgets.retries,
  });
  const blobs = {
    task: createBlob(JSON.stringify(task), { origin: 'agent', redactor, original: 'seal' }),
    system: createBlob(systemPrompt, { origin: 'engine' }),
    prompt: createBlob(toAgentPrompt(task, place.agentId, child, limits, isApart), { origin: 'agent', redactor }),
  };
  const isOwnModel = model === null || model === state.settings.provider.model;
  return {
    body: {
      type: 'agent-spawn',
      call,
      child,
      title: toTitle(redactor.redact(task.goal).text),
      task: blobs.task.ref,
      verification: task.verification.kind,
      budgets: limits,
      tools,
      toolBytes: toToolBytes(toSpecs(ports, tools)),
      ...(isOwnModel ? {} : { model }),
      price: isOwnModel ? state.settings.price : ports.priceOf(model),
      system: blobs.system.ref,
      prompt: blobs.prompt.ref,
      ...(isDetached ? { detached: true } : {}),
      ...(isApart ? { worktree } : {}),
    },
    blobs: Object.values(blobs),
  };
}

/** What a spawned agent could never use is not handed on: a plan is the root's to propose, and the last generation spawns none. */
function chooseTools(
  state: RunState,
  place: EventPlace,
  own: readonly string[],
  wished: readonly string[] | null,
): string[] {
  const depth = (agentOf(state, place).assignment?.depth ?? 0) + 1;
  const isLast = depth >= (state.settings.containment?.depth ?? 0);
  const unfit = ['propose_plan', ...(isLast ? ['spawn_agent', 'wait_agents'] : [])];
  return own.filter((name) => !unfit.includes(name) && (wished === null || wished.includes(name)));
}

function toSpecs({ tools }: SpawnPorts, names: readonly string[]) {
  return toToolSpecs([...tools.values()].filter(({ name }) => names.includes(name)));
}
