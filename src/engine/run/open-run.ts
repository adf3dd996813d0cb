// Makes a run ready to be driven: a new one from its contract, an old one from its journal.
import { randomBytes } from 'node:crypto';
import { EngineError } from '../../shared/engine-error.ts';
import type { DriverEventBody, EventPlace } from '../../shared/event.ts';
import { createRunId, type RunId, rootAgentId } from '../../shared/id.ts';
import { isFinal } from '../../shared/outcome.ts';
import type { RunState } from '../../shared/run-state.ts';
import { TaskContract } from '../../shared/task-contract.ts';
import type { Guard } from '../guard/guard.ts';
import { createBlob } from '../journal/create-blob.ts';
import type { Journal, Lease } from '../journal/journal.ts';
import type { Redactor } from '../journal/redactor.ts';
import type { ToolSpec } from '../provider/model-provider.ts';
import { toToolBytes } from '../tool/to-tool-spec.ts';
import type { DriverSettings } from './driver-settings.ts';
import { foldAll } from './recorder.ts';
import type { Clock } from './run-clock.ts';
import { runOwned, takeLease } from './take-lease.ts';
import { systemPrompt, toPrompt } from './to-prompt.ts';
import { toTitle } from './to-title.ts';
import { toTreeBudgets, toTreeCaps } from './tree-limits.ts';

export interface OpenRunPorts {
  readonly journal: Journal;
  readonly guard: Guard;
  readonly redactor: Redactor;
  readonly clock: Clock;
}

export interface OpenedRun {
  readonly contract: TaskContract;
  readonly lease: Lease;
  readonly state: RunState;
}

/** What one reply may at most be; sent on the wire, and part of every reservation. */
export const maxOutputTokens = 8192;

export interface CreateRunOptions extends DriverSettings {
  readonly contract: TaskContract;
  readonly toolSpecs: readonly ToolSpec[];
  readonly engineVersion: string;
}

/** Creates the run in the journal; its id exists once this resolves, and not before. */
export async function createRun(ports: OpenRunPorts, options: CreateRunOptions): Promise<OpenedRun> {
  const { journal, guard, redactor, clock } = ports;
  const { contract, provider, posture, contextTokens, price, policy, minimumIsolation, isolation, reviewer } = options;
  const { recovery } = options;
  const blobs = {
    contract: createBlob(JSON.stringify(contract), { origin: 'contract', redactor, original: 'seal' }),
    system: createBlob(systemPrompt, { origin: 'engine' }),
    prompt: createBlob(toPrompt(contract), { origin: 'contract', redactor }),
    policy: policy.blob,
  };
  const at = clock.nowMs();
  const runId = createRunId(at, randomBytes(12));
  const body: DriverEventBody = {
    type: 'run-start',
    engineVersion: options.engineVersion,
    contract: blobs.contract.ref,
    title: toTitle(redactor.redact(contract.goal).text),
    workspace: guard.workspace,
    verification: contract.verification.kind,
    budgets: toTreeBudgets(contract),
    provider,
    posture,
    policyHash: policy.hash,
    policy: policy.blob.ref,
    minimumIsolation,
    ...(isolation === null ? {} : { isolation }),
    ...(reviewer === null ? {} : { reviewer }),
    ...(recovery === null ? {} : { recovery }),
    ...(contract.plan ? { plansFirst: true } : {}),
    ...(contract.containment === null ? {} : { containment: toTreeCaps(contract.containment) }),
    contextTokens,
    maxOutputTokens,
    price,
    system: blobs.system.ref,
    prompt: blobs.prompt.ref,
    toolBytes: toToolBytes(options.toolSpecs),
    neighbours: findNeighbours(journal, guard.workspace.path),
  };
  const event = { ...rootPlace(0), at, body };
  const lease = await journal.writer.createRun(runId, [event], Object.values(blobs));
  return orRelease(journal, lease, async () => ({ contract, lease, state: foldAll(journal.reader, lease, null, 0) }));
}

/**
 * Takes over a run that nobody drives and that is not over. `found` is the run as it was read before: what has come since is
 * folded onto it, so that a long run is read once. Throws `run-owned` when somebody drives it, or just did, and
 * `processes-left` when what a dead driver started cannot be ended.
 */
export async function takeUpRun(ports: OpenRunPorts, found: RunState, settings: DriverSettings): Promise<OpenedRun> {
  const lease = await takeLease(ports.journal.writer, found.runId);
  return orRelease(ports.journal, lease, () => goOn(ports, lease, { found, settings }));
}

interface FoundRun {
  readonly found: RunState;
  readonly settings: DriverSettings;
}

async function goOn(ports: OpenRunPorts, lease: Lease, { found, settings }: FoundRun): Promise<OpenedRun> {
  const { journal, guard, clock } = ports;
  const { runId } = lease;
  const state = foldAll(journal.reader, lease, found, found.seq);
  assertSameWorkspace(state, guard);
  if (state.outcome !== null && isFinal(state.outcome)) throw runOwned(runId, 'it was brought to its end there');
  if (state.rewinding !== null) throw runOwned(runId, 'it is just being rewound there');
  const agent = state.agents[rootAgentId];
  const { policy, isolation, reviewer, recovery, ...rest } = settings;
  const body: DriverEventBody = {
    type: 'run-resume',
    ...rest,
    policyHash: policy.hash,
    policy: policy.blob.ref,
    ...(isolation === null ? {} : { isolation }),
    ...(reviewer === null ? {} : { reviewer }),
    ...(recovery === null ? {} : { recovery }),
  };
  const event = { ...rootPlace(agent?.step ?? 0), at: clock.nowMs(), body };
  const appended = await journal.writer.append(lease, [event], [policy.blob]);
  if (appended.kind === 'lease-lost') throw runOwned(runId, 'another process was quicker');
  return { contract: readContract(journal, state), lease, state: foldAll(journal.reader, lease, state, state.seq) };
}

/** A lease that came to nothing is given back: this process may live long, and nobody else could drive the run. */
async function orRelease({ writer }: Journal, lease: Lease, use: () => Promise<OpenedRun>): Promise<OpenedRun> {
  try {
    return await use();
  } catch (error) {
    await writer.releaseLease(lease).catch(() => undefined);
    throw error;
  }
}

/** The contract a run was started with. */
export function readContract({ reader }: Journal, state: RunState): TaskContract {
  const text = new TextDecoder().decode(reader.readOriginal(state.settings.contract.hash));
  return TaskContract.parse(JSON.parse(text));
}

/** Throws `workspace-unusable` where another directory stands in its place. */
export function assertSameWorkspace({ runId, settings: { workspace } }: RunState, guard: Guard): void {
  if (guard.workspace.device === workspace.device && guard.workspace.inode === workspace.inode) return;
  const message = `${workspace.path} is not the directory that run ${runId} worked in: it has been replaced.`;
  throw new EngineError('workspace-unusable', message, {
    remedy: 'Put the original directory back, or start a new run.',
  });
}

/** Live runs in the same workspace: allowed, but whoever starts the second one is told. */
function findNeighbours({ reader }: Journal, workspace: string): RunId[] {
  return reader
    .listRuns(newestRuns)
    .filter((run) => run.workspace === workspace && run.outcome === null && run.owner?.alive === true)
    .map(({ runId }) => runId);
}

/** Looking for live runs goes back no further than this. */
const newestRuns = 1000;

const rootPlace = (step: number): EventPlace => ({ agentId: rootAgentId, step });
