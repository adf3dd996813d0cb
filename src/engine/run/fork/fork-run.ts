// Begins a new run where another one stood at a step: with its conversation and its files of then, and a ledger, a contract and
// answers of its own. The original is only read. Nobody drives the new run yet.
import { randomBytes } from 'node:crypto';
import { EngineError } from '../../../shared/engine-error.ts';
import type { ForkChange } from '../../../shared/event/fork-events.ts';
import { agentOf } from '../../../shared/find-in-run.ts';
import { createRunId, type RunId, rootAgentId } from '../../../shared/id.ts';
import type { RunState } from '../../../shared/run-state.ts';
import type { TaskContract } from '../../../shared/task-contract.ts';
import { parseTaskContract } from '../../contract/parse-task-contract.ts';
import { loadRepositoryScope } from '../../guard/load-scopes.ts';
import { createBlob } from '../../journal/create-blob.ts';
import type { Journal } from '../../journal/journal.ts';
import { toContractScopes } from '../../policy/contract-scope.ts';
import type { ForkedRun, ForkRunParams } from '../engine.ts';
import { interrupted } from '../history/close-orphans.ts';
import { replaceLostResults } from '../history/replace-lost-results.ts';
import { readContract } from '../open-run.ts';
import { assertPriced, readPrice } from '../read-price.ts';
import { foldAll } from '../recorder.ts';
import { openRunPolicy, type RunPolicy, readScopes } from '../run-policy.ts';
import { assertStill } from './assert-still.ts';
import { isNotAsThen, toForkEvents } from './fork-events.ts';
import { toForkNote } from './fork-note.ts';
import type { ForkRunOptions } from './fork-options.ts';
import { type ForkedPlace, openForkPlace } from './fork-place.ts';
import { type ForkPoint, findForkPoint } from './fork-point.ts';
import { toForkStart } from './fork-start.ts';
import { findLeftBehind } from './left-behind.ts';
import { finishPlace } from './left-stages.ts';

/**
 * Rejects, with nothing changed, with `run-unknown`, `run-imported`, `run-owned` (a copy of what is being worked on would be
 * of no one moment), `usage` (no such step), `contract-invalid`, `policy-invalid`, `file-exists` and `workspace-unusable`.
 */
export async function forkRun(options: ForkRunOptions, runId: RunId, params: ForkRunParams): Promise<ForkedRun> {
  const { home, journal } = options;
  const original = foldAll(journal.reader, { runId }, null, 0);
  finishPlace(home, original);
  assertForkable(journal, original, params);
  const point = findForkPoint(journal.reader, runId, params.step ?? null);
  const before = readContract(journal, original);
  const changed = toChanged(original, before, params);
  const contract = toContract(before, params, original.settings.workspace.path);
  const { model } = toSettings(home, original, contract, params);
  const toPolicy: Forking['toPolicy'] = (workspace, path) =>
    composePolicy(options, original, { contract, workspace, path, params, changed });
  const at = Date.now();
  const forkId = createRunId(at, randomBytes(12));
  const { path } = original.settings.workspace;
  await using place = await openForkPlace(options, {
    runId: forkId,
    original,
    point,
    params,
    policy: toPolicy(path, path),
  });
  return await create(options, { runId: forkId, at, original, point, place, changed, contract, model, toPolicy });
}

function assertForkable({ reader }: Journal, { runId, imported, rewinding }: RunState, { place }: ForkRunParams): void {
  if (imported !== null) {
    throw new EngineError('run-imported', `Run ${runId} came out of a file, and nobody here has taken it as theirs.`, {
      remedy: `Take it with "io-studio store adopt ${runId} --workspace DIR" first.`,
    });
  }
  if (place.kind !== 'here') assertStill(reader, { runId, rewinding }, besides);
}

const besides = '--here forks beside it, with the files as they are';

function toChanged({ settings }: RunState, before: TaskContract, params: ForkRunParams): ForkChange[] {
  const { goal, contract, model, policyFile } = params;
  return [
    ...(contract === undefined ? [] : (['contract'] as const)),
    ...(goal === undefined || goal.trim() === before.goal ? [] : (['goal'] as const)),
    ...(model === undefined || model === settings.provider.model ? [] : (['model'] as const)),
    ...(policyFile === undefined ? [] : (['policy'] as const)),
  ];
}

/** Where the fork will work is not known yet; all else that may be wrong with the contract is found here. */
function toContract(before: TaskContract, { goal, contract }: ForkRunParams, workspace: string): TaskContract {
  if (contract !== undefined) return parseTaskContract({ ...contract, workspace });
  return goal === undefined ? before : parseTaskContract({ ...before, goal });
}

function toSettings(home: string, { settings }: RunState, contract: TaskContract, params: ForkRunParams) {
  const model = params.model ?? (params.contract === undefined ? null : contract.model) ?? settings.provider.model;
  assertPriced(contract.budgets.costUsd, readPrice(home, model), model, home);
  return { model };
}

interface PolicyWish {
  readonly contract: TaskContract;
  readonly workspace: string;
  /** Where the files of the workspace lie now. */
  readonly path: string;
  readonly params: ForkRunParams;
  readonly changed: readonly ForkChange[];
}

/** What the repository and the start of the original said stays; another contract protects other paths. */
function composePolicy(
  { home, journal }: ForkRunOptions,
  { settings }: RunState,
  { contract, workspace, path, params, changed }: PolicyWish,
): RunPolicy {
  const scopes = readScopes(journal.reader, settings.policy);
  const repository = scopes === null ? loadRepositoryScope(path, workspace) : scopes;
  const before =
    scopes !== null && !changed.includes('contract')
      ? scopes
      : [...repository.filter(({ origin }) => origin !== 'contract'), ...toContractScopes(contract.protect)];
  return openRunPolicy({ home, workspace, policyFile: params.policyFile ?? null, before });
}

interface Forking {
  readonly runId: RunId;
  readonly at: number;
  readonly original: RunState;
  readonly point: ForkPoint;
  readonly place: ForkedPlace;
  readonly changed: readonly ForkChange[];
  readonly contract: TaskContract;
  readonly model: string;
  readonly toPolicy: (workspace: string, path: string) => RunPolicy;
}

/** The run is there whole, in one transaction, or not at all. */
async function create({ home, journal, redactor }: ForkRunOptions, forking: Forking): Promise<ForkedRun> {
  const { runId, at, original, point, place, changed, model } = forking;
  const { kind, workspace, files, untold } = place;
  const contract = { ...forking.contract, workspace: workspace.path };
  const policy = forking.toPolicy(workspace.path, place.path);
  const left = findLeftBehind(point.state);
  const text = toForkNote({ contract, place: kind, changed, files, untold, left });
  const note = text === null ? null : createBlob(text, { origin: toOrigin(changed), redactor });
  const told = files.map((file) => ({ ...file, path: redactor.redact(file.path).text }));
  const contractBlob = createBlob(JSON.stringify(contract), { origin: 'contract', redactor, original: 'seal' });
  const lostBlob = createBlob(interrupted, { origin: 'engine' });
  const whole = agentOf(point.state, { agentId: rootAgentId }).context;
  const { context, lost } = replaceLostResults(journal.reader, whole, lostBlob.ref);
  const start = toForkStart({ ...forking, home, redactor, workspace, policy, contract, contractBlob });
  const rest = toForkEvents({
    original,
    point,
    context,
    place: kind,
    changed,
    files: told,
    untold,
    note: note?.ref ?? null,
  });
  const events = [start, ...rest].map((body) => ({ agentId: rootAgentId, step: 0, at, body }));
  const lease = await journal.writer.createRun(runId, events, [
    contractBlob,
    policy.blob,
    ...(note === null ? [] : [note]),
    ...(lost === 0 ? [] : [lostBlob]),
  ]);
  try {
    place.keep();
  } finally {
    await journal.writer.releaseLease(lease);
  }
  const { settled, costUsd } = point.state.ledger;
  return {
    runId,
    from: original.runId,
    step: point.step,
    workspace: workspace.path,
    messages: context.length,
    model,
    files: told,
    missed: told.filter(isNotAsThen).length,
    untold,
    spent: { ...settled, costUsd },
  };
}

const toOrigin = (changed: readonly ForkChange[]): 'contract' | 'engine' =>
  changed.includes('goal') || changed.includes('contract') ? 'contract' : 'engine';
