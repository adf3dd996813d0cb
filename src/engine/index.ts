// The engine's front door and its one wiring place: which adapter stands behind which port is decided here and nowhere else.
import { randomInt } from 'node:crypto';
import { engineVersion } from '../shared/engine-version.ts';
import { type RunId, rootAgentId } from '../shared/id.ts';
import { isFinal } from '../shared/outcome.ts';
import type { RunState } from '../shared/run-state.ts';
import { createChecker } from './check/create-checker.ts';
import { parseTaskContract } from './contract/parse-task-contract.ts';
import type { Guard } from './guard/guard.ts';
import { openGuard } from './guard/open-guard.ts';
import type { Journal } from './journal/journal.ts';
import { journalWorkerUrl } from './journal/journal-worker-url.ts';
import { openJournal } from './journal/open-journal.ts';
import { createRedactor, type Redactor } from './journal/redactor.ts';
import { createDispatcher } from './net/dispatcher.ts';
import { defaultPolicy } from './policy/default-policy.ts';
import type { ModelProvider } from './provider/model-provider.ts';
import { createOpenAiChatProvider } from './provider/openai-chat/openai-chat-provider.ts';
import { findKnownSecrets, type ProviderWish, providerFromEnvironment } from './provider/provider-from-environment.ts';
import { resolveSettings } from './run/driver-settings.ts';
import type { Engine, EngineOptions, RunHandle, RunSettingsParams, StartRunParams } from './run/engine.ts';
import { createLiveFeed } from './run/live-feed.ts';
import { createRun, type OpenedRun, takeUpRun } from './run/open-run.ts';
import { createRecorder, foldAll } from './run/recorder.ts';
import { assertApart, resolveHome } from './run/resolve-home.ts';
import { createRunClock, systemClock } from './run/run-clock.ts';
import { createEndedHandle, startDriving } from './run/run-handle.ts';
import { createTranscript } from './run/transcript.ts';
import { createFloorSandbox } from './sandbox/floor-sandbox.ts';
import { createTools } from './tool/create-tools.ts';
import { toToolSpec } from './tool/to-tool-spec.ts';

export { EngineError, type EngineErrorCode, isEngineError, toErrorExitCode } from '../shared/engine-error.ts';
export type { JournalEvent } from '../shared/event.ts';
export { RunId } from '../shared/id.ts';
export type { LiveUpdate } from '../shared/live-update.ts';
export type { RunOutcome } from '../shared/outcome.ts';
export type { RunState } from '../shared/run-state.ts';
export type { TaskContract, TaskContractInput } from '../shared/task-contract.ts';
export { parseTaskContract } from './contract/parse-task-contract.ts';
export type { RunSummary, TraceRow } from './journal/journal.ts';
export type * from './provider/model-provider.ts';
export type {
  Engine,
  EngineOptions,
  RunHandle,
  RunResult,
  RunSettingsParams,
  StartRunParams,
  UsageReport,
} from './run/engine.ts';

/**
 * Creates an engine on its home. Nothing is opened or written before the first call that needs it; the `store-…` errors come
 * from that call.
 *
 * The caller closes it. Several engines, in one process or in many, may share a home.
 */
export function createEngine(options: EngineOptions = {}): Engine {
  const environment = options.environment ?? process.env;
  const home = resolveHome(options.home ?? null, environment, process.platform);
  const dispatcher = createDispatcher({ environment });
  const starting = new Set<Promise<RunHandle>>();
  const running = new Set<RunHandle>();
  let opening: Promise<Journal> | null = null;
  const open = (): Promise<Journal> => {
    opening ??= openJournal({ home, workerUrl: journalWorkerUrl() }).catch((error) => {
      opening = null; // The next call may find the store well again.
      throw error;
    });
    return opening;
  };
  const parts: EngineParts = { home, environment, open, dispatcher, ownProvider: options.provider ?? null };
  const begin = async (beginning: Promise<RunHandle>): Promise<RunHandle> => {
    starting.add(beginning);
    try {
      const handle = await beginning;
      running.add(handle);
      const forget = () => void running.delete(handle);
      handle.result.then(forget, forget);
      return handle;
    } finally {
      starting.delete(beginning);
    }
  };
  const readRun = async (runId: RunId): Promise<RunState> => foldAll((await open()).reader, { runId }, null, 0);

  return {
    home,
    readRun,
    startRun: (params) => begin(startRun(parts, params)),
    resumeRun: (runId, params = {}) => begin(readRun(runId).then((state) => resumeRun(parts, state, params))),
    listRuns: async () => (await open()).reader.listRuns(),
    readEvents: async (runId, afterSeq, limit) => (await open()).reader.readEvents(runId, afterSeq, limit),
    readTrace: async (runId, afterSeq, limit) => (await open()).reader.readTrace(runId, afterSeq, limit),
    readText: async ({ hash }) => new TextDecoder().decode((await open()).reader.readBlob(hash)),
    async cancelRun(runId, actor) {
      const { writer } = await open();
      const place = { agentId: rootAgentId, step: (await readRun(runId)).agents[rootAgentId]?.step ?? 0 };
      const body = { type: 'run-cancel', actor } as const;
      await writer.appendPerson(runId, { ...place, at: Date.now(), body, subject: null }, []);
    },
    async close() {
      await Promise.allSettled(starting);
      for (const handle of running) handle.interrupt('SIGTERM');
      await Promise.allSettled([...running].map(({ result }) => result));
      await dispatcher.close();
      await (await opening?.catch(() => null))?.close();
    },
  };
}

/** What all runs of one engine share. */
interface EngineParts {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly open: () => Promise<Journal>;
  readonly dispatcher: ReturnType<typeof createDispatcher>;
  readonly ownProvider: ModelProvider | null;
}

async function startRun(parts: EngineParts, { contract: input, ...params }: StartRunParams): Promise<RunHandle> {
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
  const provider = model.provider.choice;
  const settings = resolveSettings({ home: parts.home, params, provider, budgets: contract.budgets, state: null });
  const guard = await openWorkspace(parts, resources, contract.workspace);
  const journal = await opening;
  const ports = { journal, guard, redactor: model.redactor, clock: systemClock };
  const opened = await createRun(ports, { ...settings, contract, toolSpecs, engineVersion });
  return drive(journal, { opened, model, guard, afterSeq: 0, resources: resources.move() });
}

async function resumeRun(parts: EngineParts, state: RunState, params: RunSettingsParams): Promise<RunHandle> {
  const { runId, outcome, settings: before } = state;
  const journal = await parts.open();
  if (outcome !== null && isFinal(outcome)) return createEndedHandle(state, outcome, journal.reader);
  await using resources = new AsyncDisposableStack();
  const model = openModel(parts, resources, {
    model: params.model ?? before.provider.model,
    provider: params.provider ?? before.provider.name,
    baseUrl: params.provider === undefined ? before.provider.baseUrl : null,
  });
  const provider = model.provider.choice;
  const settings = resolveSettings({ home: parts.home, params, provider, budgets: before.budgets, state });
  const guard = await openWorkspace(parts, resources, before.workspace.path);
  const ports = { journal, guard, redactor: model.redactor, clock: systemClock };
  const opened = await takeUpRun(ports, runId, settings);
  return drive(journal, { opened, model, guard, afterSeq: state.seq, resources: resources.move() });
}

async function openWorkspace(
  { home }: EngineParts,
  resources: AsyncDisposableStack,
  workspace: string,
): Promise<Guard> {
  const guard = await openGuard({ workspace, home, policy: defaultPolicy });
  resources.defer(() => guard.close());
  return guard;
}

const tools = createTools();
const toolSpecs = [...tools.values()].map(toToolSpec);

interface OpenedModel {
  readonly provider: ModelProvider;
  readonly redactor: Redactor;
  readonly knownSecrets: readonly string[];
}

interface DriveOptions {
  readonly opened: OpenedRun;
  readonly model: OpenedModel;
  readonly guard: Guard;
  readonly afterSeq: number;
  /** What was opened for this run alone. */
  readonly resources: AsyncDisposableStack;
}

function drive(journal: Journal, { opened, model, guard, afterSeq, resources }: DriveOptions): RunHandle {
  const { contract, lease, state } = opened;
  const { reader, writer } = journal;
  resources.defer(() => writer.releaseLease(lease));
  const clock = createRunClock(systemClock, state.activeMs);
  const checker = createChecker({ sandbox: createFloorSandbox(), workspace: guard.workspace.path, files: guard.files });
  return startDriving({
    ports: {
      contract,
      recorder: createRecorder({ state, lease, reader, writer, clock }),
      reader,
      transcript: createTranscript(reader),
      provider: model.provider,
      guard,
      tools,
      toolSpecs,
      check: checker.check,
      redactor: model.redactor,
      clock,
      live: createLiveFeed({ runId: lease.runId, knownSecrets: model.knownSecrets }),
      random: () => randomInt(2 ** 32) / 2 ** 32,
    },
    afterSeq,
    close: () => resources.disposeAsync(),
  });
}

/** A provider that the host brought stays the host's; one that the engine opens is closed with the run. */
function openModel(parts: EngineParts, resources: AsyncDisposableStack, wish: ProviderWish): OpenedModel {
  const { ownProvider, environment, dispatcher } = parts;
  if (ownProvider !== null) {
    const knownSecrets = findKnownSecrets(environment);
    return { provider: ownProvider, redactor: createRedactor({ knownSecrets }), knownSecrets };
  }
  const { choice, key, knownSecrets } = providerFromEnvironment(environment, wish);
  const provider = createOpenAiChatProvider({ choice, key, dispatcher });
  resources.defer(() => provider.close());
  return { provider, redactor: createRedactor({ knownSecrets }), knownSecrets };
}
