// Opens everything one run needs, in the order in which a failure costs least, and sets the driver going. What was opened is
// closed with the run, or here when it never came to one.
import { engineVersion } from '../../shared/engine-version.ts';
import { isFinal } from '../../shared/outcome.ts';
import type { RunState } from '../../shared/run-state.ts';
import type { Budgets } from '../../shared/task-contract.ts';
import { parseTaskContract } from '../contract/parse-task-contract.ts';
import type { Guard } from '../guard/guard.ts';
import { openGuard } from '../guard/open-guard.ts';
import type { Journal } from '../journal/journal.ts';
import type { PolicyScopes } from '../policy/compose-policy.ts';
import { type DriverSettings, resolveSettings } from '../run/driver-settings.ts';
import type { RunHandle, RunSettingsParams, StartRunParams } from '../run/engine.ts';
import { createRun, type OpenRunPorts, takeUpRun } from '../run/open-run.ts';
import { assertApart } from '../run/resolve-home.ts';
import type { Reviewer } from '../run/reviewer.ts';
import { systemClock } from '../run/run-clock.ts';
import { createEndedHandle } from '../run/run-handle.ts';
import { openRunPolicy, readScopes } from '../run/run-policy.ts';
import { createTools } from '../tool/create-tools.ts';
import { toToolSpec } from '../tool/to-tool-spec.ts';
import { drive } from './drive.ts';
import type { EngineParts } from './engine-parts.ts';
import { type OpenedModel, openModel, openReviewer } from './open-model.ts';

export async function startRun(parts: EngineParts, { contract: input, ...params }: StartRunParams): Promise<RunHandle> {
  const contract = parseTaskContract(input);
  assertApart(parts.home, contract.workspace);
  const opening = parts.open();
  if (parts.ownProvider === null) parts.dispatcher.prepare(); // Fits into the time that opening the journal takes.
  opening.catch(() => undefined); // It is awaited below; what fails before that must not leave it unheard.
  await using resources = new AsyncDisposableStack();
  const model = openModel(parts, resources, {
    model: params.model ?? contract.model,
    provider: params.provider ?? contract.provider,
  });
  const guard = await openWorkspace(parts, resources, contract.workspace);
  const setting = { model, guard, journal: await opening, resources };
  const prepared = prepare(parts, setting, { params, budgets: contract.budgets, state: null, scopes: null });
  const { settings, ports } = prepared;
  const tools = createTools({ commands: settings.minimumIsolation !== null, plan: contract.plan });
  const toolSpecs = [...tools.values()].map(toToolSpec);
  const opened = await createRun(ports, { ...settings, contract, toolSpecs, engineVersion });
  return drive(parts, { ...setting, ...prepared, opened, tools, afterSeq: 0, resources: resources.move() });
}

/** A run that is over gives its result again. */
export async function resumeRun(parts: EngineParts, state: RunState, params: RunSettingsParams): Promise<RunHandle> {
  const { runId, outcome, settings: before } = state;
  const journal = await parts.open();
  if (outcome !== null && isFinal(outcome)) return createEndedHandle(state, outcome, journal.reader);
  await using resources = new AsyncDisposableStack();
  const model = openModel(parts, resources, {
    model: params.model ?? before.provider.model,
    provider: params.provider ?? before.provider.name,
    baseUrl: params.provider === undefined ? before.provider.baseUrl : null,
  });
  const guard = await openWorkspace(parts, resources, before.workspace.path);
  const setting = { model, guard, journal, resources };
  const scopes = readScopes(journal.reader, before.policy);
  const prepared = prepare(parts, setting, { params, budgets: before.budgets, state, scopes });
  const { settings, ports } = prepared;
  const opened = await takeUpRun(ports, runId, settings);
  const tools = createTools({ commands: settings.minimumIsolation !== null, plan: opened.contract.plan });
  return drive(parts, { ...setting, ...prepared, opened, tools, afterSeq: state.seq, resources: resources.move() });
}

interface RunSetting {
  readonly model: OpenedModel;
  readonly guard: Guard;
  readonly journal: Journal;
  readonly resources: AsyncDisposableStack;
}

interface RunWish {
  readonly params: RunSettingsParams;
  readonly budgets: Budgets;
  /** The run and its scopes as it was last driven; null for a new one. */
  readonly state: RunState | null;
  readonly scopes: PolicyScopes | null;
}

/** What is decided anew each time a driver takes over; everything that can be wrong with it is found here. */
function prepare(
  parts: EngineParts,
  { model, guard, journal, resources }: RunSetting,
  { params, budgets, state, scopes }: RunWish,
): { settings: DriverSettings; reviewer: Reviewer | null; ports: OpenRunPorts } {
  const { home } = parts;
  const policy = openRunPolicy({
    home,
    workspace: guard.workspace.path,
    policyFile: params.policyFile ?? null,
    before: scopes,
  });
  const settings = resolveSettings({ home, params, provider: model.provider.choice, budgets, policy, state });
  const reviewer = openReviewer(parts, resources, model, settings);
  return { settings, reviewer, ports: { journal, guard, redactor: model.redactor, clock: systemClock } };
}

async function openWorkspace(
  { home, sandbox }: EngineParts,
  resources: AsyncDisposableStack,
  workspace: string,
): Promise<Guard> {
  const guard = await openGuard({ workspace, home, sandbox });
  resources.defer(() => guard.close());
  return guard;
}
