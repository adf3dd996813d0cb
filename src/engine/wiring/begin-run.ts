// Opens everything one run needs, in the order in which a failure costs least, and sets the driver going. What was opened is
// closed with the run, or here when it never came to one.
import { engineVersion } from '../../shared/engine-version.ts';
import { isFinal } from '../../shared/outcome.ts';
import type { RecoveryPolicy } from '../../shared/recovery.ts';
import type { RunState } from '../../shared/run-state.ts';
import type { Budgets } from '../../shared/task-contract.ts';
import { parseTaskContract } from '../contract/parse-task-contract.ts';
import type { Guard } from '../guard/guard.ts';
import { openGuard } from '../guard/open-guard.ts';
import type { Journal } from '../journal/journal.ts';
import type { PolicyScopes } from '../policy/compose-policy.ts';
import { type Isolation, MinimumIsolation } from '../policy/isolation.ts';
import { assertAdopted } from '../run/assert-adopted.ts';
import { assertCheckable } from '../run/assert-checkable.ts';
import { type DriverSettings, resolveSettings } from '../run/driver-settings.ts';
import type { RunHandle, RunSettingsParams, StartRunParams } from '../run/engine.ts';
import { finishPlace } from '../run/fork/left-stages.ts';
import { createRun, type OpenRunPorts, readContract, takeUpRun } from '../run/open-run.ts';
import { assertApart } from '../run/resolve-home.ts';
import type { Reviewer } from '../run/reviewer.ts';
import { systemClock } from '../run/run-clock.ts';
import { createEndedHandle } from '../run/run-handle.ts';
import { openRunPolicy, readScopes } from '../run/run-policy.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { toToolSpecs } from '../tool/to-tool-spec.ts';
import { assertDrivable } from './assert-drivable.ts';
import { chooseTools } from './choose-tools.ts';
import { drive } from './drive.ts';
import type { EngineParts } from './engine-parts.ts';
import { assertModelsKnown, type OpenedModel, openModel, openReviewer } from './open-model.ts';
import type { RunSandbox } from './sandbox-source.ts';

export async function startRun(parts: EngineParts, { contract: input, ...params }: StartRunParams): Promise<RunHandle> {
  const contract = parseTaskContract(input);
  assertApart(parts.home, contract.workspace);
  assertModelsKnown(parts, contract);
  assertDrivable(parts, params);
  const opening = parts.open();
  if (parts.ownProvider === null) parts.dispatcher.prepare(); // Fits into the time that opening the journal takes.
  opening.catch(() => undefined); // It is awaited below; what fails before that must not leave it unheard.
  await using resources = new AsyncDisposableStack();
  const model = openModel(parts, resources, {
    model: params.model ?? contract.model,
    provider: params.provider ?? contract.provider,
  });
  const journal = await opening; // A home that cannot be used is told as that, not as a policy in it that cannot be read.
  const chosen = await chooseSandbox(parts, params.minimumIsolation ?? null);
  await assertCheckable(contract, chosen.sandbox);
  const guard = await openWorkspace(parts, resources, contract.workspace, chosen.sandbox);
  const setting = { model, guard, chosen, journal, resources };
  const { budgets, protect, recovery } = contract;
  const prepared = prepare(parts, setting, { params, budgets, protect, recovery, state: null, scopes: null });
  const { settings, ports } = prepared;
  const tools = chooseTools(settings, contract, null);
  const toolSpecs = toToolSpecs(tools.values());
  const opened = await createRun(ports, { ...settings, contract, toolSpecs, engineVersion });
  const { sandbox } = chosen;
  return drive(parts, { ...setting, ...prepared, sandbox, opened, tools, afterSeq: 0, resources: resources.move() });
}

/** A run that is over gives its result again. `state` is the run as it was found; it is the driver's from here on. */
export async function resumeRun(parts: EngineParts, state: RunState, params: RunSettingsParams): Promise<RunHandle> {
  const { seq: afterSeq, outcome, settings: before } = state;
  assertAdopted(state);
  const journal = await parts.open();
  if (outcome !== null && isFinal(outcome)) return createEndedHandle(state, outcome, journal.reader);
  assertDrivable(parts, params);
  finishPlace(parts.home, state);
  if (parts.ownProvider === null) parts.dispatcher.prepare();
  await using resources = new AsyncDisposableStack();
  const model = openModel(parts, resources, {
    model: params.model ?? before.provider.model,
    provider: params.provider ?? before.provider.name,
    baseUrl: params.provider === undefined ? before.provider.baseUrl : null,
  });
  const chosen = await chooseSandbox(parts, params.minimumIsolation ?? toMinimum(before.minimumIsolation));
  const contract = readContract(journal, state);
  assertModelsKnown(parts, contract);
  await assertCheckable(contract, chosen.sandbox);
  const guard = await openWorkspace(parts, resources, before.workspace.path, chosen.sandbox);
  const setting = { model, guard, chosen, journal, resources };
  const scopes = readScopes(journal.reader, before.policy);
  const protect = scopes === null ? contract.protect : []; // Of an adopted run none of its scopes are left.
  const prepared = prepare(parts, setting, { params, budgets: before.budgets, protect, recovery: null, state, scopes });
  const { settings, ports } = prepared;
  const opened = await takeUpRun(ports, state, settings);
  const tools = chooseTools(settings, opened.contract, opened.state);
  const { sandbox } = chosen;
  const rest = { sandbox, opened, tools, afterSeq, resources: resources.move() };
  return drive(parts, { ...setting, ...prepared, ...rest });
}

interface RunSetting {
  readonly model: OpenedModel;
  readonly guard: Guard;
  readonly chosen: ChosenSandbox;
  readonly journal: Journal;
  readonly resources: AsyncDisposableStack;
}

interface RunWish {
  readonly params: RunSettingsParams;
  readonly budgets: Budgets;
  /** What the contract of a new run protects. */
  readonly protect: readonly string[];
  /** What the contract of a new run says of calls that a crash interrupts. */
  readonly recovery: RecoveryPolicy | null;
  /** The run and its scopes as it was last driven; null for a new one. */
  readonly state: RunState | null;
  readonly scopes: PolicyScopes | null;
}

/** What is decided anew each time a driver takes over; everything that can be wrong with it is found here. */
function prepare(
  parts: EngineParts,
  { model, guard, chosen, journal, resources }: RunSetting,
  { params, budgets, protect, recovery, state, scopes }: RunWish,
): { settings: DriverSettings; reviewer: Reviewer | null; ports: OpenRunPorts } {
  const { home } = parts;
  const policy = openRunPolicy({
    home,
    workspace: guard.workspace.path,
    policyFile: params.policyFile ?? null,
    protect,
    before: scopes,
  });
  const { minimum: minimumIsolation, isolation } = chosen;
  const provider = model.provider.choice;
  const settings = resolveSettings({
    home,
    params,
    provider,
    budgets,
    policy,
    minimumIsolation,
    isolation,
    recovery,
    state,
  });
  const reviewer = openReviewer(parts, resources, model, settings);
  return { settings, reviewer, ports: { journal, guard, redactor: model.redactor, clock: systemClock } };
}

interface ChosenSandbox extends RunSandbox {
  readonly isolation: Isolation | null;
}

/** Which tools there are, and what a permission is worth, depends on what commands are enclosed by: it is tried first. */
async function chooseSandbox({ openSandbox }: EngineParts, minimum: MinimumIsolation | null): Promise<ChosenSandbox> {
  const opened = openSandbox(minimum);
  return { ...opened, isolation: await opened.sandbox.ready() };
}

/** A run of an earlier version has none, or one that is no longer known. */
function toMinimum(recorded: string | null): MinimumIsolation | null {
  return MinimumIsolation.safeParse(recorded).data ?? null;
}

async function openWorkspace(
  { home, fetchPage }: EngineParts,
  resources: AsyncDisposableStack,
  workspace: string,
  sandbox: Sandbox,
): Promise<Guard> {
  const guard = await openGuard({ workspace, home, sandbox, fetchPage });
  resources.defer(() => guard.close());
  return guard;
}
