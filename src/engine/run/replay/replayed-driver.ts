// What a driver decided when it took a run up, made again from the event that says so: its policy, and the tools that its
// model was told of.
import { hash } from 'node:crypto';
import type { EventOf, EventPlace } from '../../../shared/event.ts';
import type { AgentState, RunState } from '../../../shared/run-state.ts';
import type { TaskContract } from '../../../shared/task-contract.ts';
import type { JournalReader } from '../../journal/journal.ts';
import { composePolicy } from '../../policy/compose-policy.ts';
import type { Policy, Stance } from '../../policy/policy.ts';
import { toPolicyText } from '../../policy/to-policy-text.ts';
import type { ToolSpec } from '../../provider/model-provider.ts';
import { toToolSpecs } from '../../tool/to-tool-spec.ts';
import type { Tool } from '../../tool/tool.ts';
import { readScopes } from '../run-policy.ts';
import { createStanceOf } from '../stance.ts';
import { compare, type Mismatch } from './divergence.ts';

export interface ReplayedDriver {
  /** False for a run of before policies were: then no verdict can be made again. */
  readonly isPolicyKept: boolean;
  /** Those of the root. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** What an agent was given of them, and was told of. */
  readonly toolsOf: (agent: AgentState) => AgentTools;
  /** What an agent was judged by. */
  readonly stanceOf: (state: RunState, place: Pick<EventPlace, 'agentId'>) => Stance;
}

export interface AgentTools {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly toolSpecs: readonly ToolSpec[];
}

/** `state`: the run as it was taken up; null for a new one. */
export type ChooseTools = (
  policy: Policy,
  isolation: string | null,
  contract: TaskContract,
  state: RunState | null,
) => ReadonlyMap<string, Tool>;

export interface DriverSource {
  readonly reader: Pick<JournalReader, 'readBlob' | 'readOriginal'>;
  readonly chooseTools: ChooseTools;
  readonly contract: TaskContract;
  readonly isGenuine: (seq: number) => boolean;
}

type Taking = EventOf<'run-start'> | EventOf<'run-resume'>;

export function createReplayedDriver(source: DriverSource, event: Taking, state: RunState | null): ReplayedDriver {
  const kept = readPolicy(source.reader, event);
  const policy = kept ?? composePolicy([]);
  const { isolation = null } = event;
  const tools = source.chooseTools(policy, isolation, source.contract, state);
  const stanceOf = createStanceOf({
    policy,
    isolation: isolation ?? 'none',
    isGenuine: source.isGenuine,
    reader: source.reader,
  });
  return {
    isPolicyKept: kept !== null,
    tools,
    toolsOf: createToolsOf(tools),
    stanceOf: (now, { agentId }) => stanceOf(now, agentId),
  };
}

function createToolsOf(own: ReadonlyMap<string, Tool>): ReplayedDriver['toolsOf'] {
  const known = new Map<string, AgentTools>();
  return ({ assignment }) => {
    const names = assignment?.tools ?? [...own.keys()];
    const key = names.join();
    const found = known.get(key) ?? toAgentTools(own, names);
    known.set(key, found);
    return found;
  };
}

function toAgentTools(own: ReadonlyMap<string, Tool>, names: readonly string[]): AgentTools {
  const tools = new Map([...own].filter(([name]) => names.includes(name)));
  return { tools, toolSpecs: toToolSpecs(tools.values()) };
}

/** Whether the policy is the one by which the driver went. */
export function comparePolicy(reader: Pick<JournalReader, 'readBlob'>, event: Taking): Mismatch | null {
  const policy = readPolicy(reader, event);
  return policy === null ? null : compare('policy', hash('sha256', toPolicyText(policy)), event.policyHash);
}

function readPolicy(reader: Pick<JournalReader, 'readBlob'>, { policy }: Taking): Policy | null {
  const scopes = readScopes(reader, policy ?? null);
  return scopes === null ? null : composePolicy(scopes);
}
