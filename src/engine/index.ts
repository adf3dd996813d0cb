// The engine's front door. Which adapter stands behind which port is decided here and in `wiring/`, and nowhere else.
import type { JournalEvent } from '../shared/event.ts';
import type { RunId } from '../shared/id.ts';
import type { RunState } from '../shared/run-state.ts';
import { readNamedFile } from './guard/read-named-file.ts';
import type { Journal } from './journal/journal.ts';
import { journalWorkerUrl } from './journal/journal-worker-url.ts';
import { openJournal } from './journal/open-journal.ts';
import { readEarly } from './journal/read-early.ts';
import { createRedactor, type Redactor } from './journal/redactor.ts';
import { createDispatcher } from './net/dispatcher.ts';
import { createPageFetcher } from './net/fetch-page.ts';
import { importPolicy } from './policy/import-policy.ts';
import { parsePolicyFile } from './policy/parse-policy-file.ts';
import type { PolicyFile } from './policy/policy-file.ts';
import { findKnownSecrets } from './provider/provider-from-environment.ts';
import { listApprovals, readApproval } from './run/approvals.ts';
import { createRunControl } from './run/control/run-control.ts';
import { decide, previewRemember } from './run/decide.ts';
import type { Engine, EngineOptions, ResumeSettings, RunHandle } from './run/engine.ts';
import { explain } from './run/explain.ts';
import { forkRun } from './run/fork/fork-run.ts';
import { inspectSandbox } from './run/inspect-sandbox.ts';
import { foldAll } from './run/recorder.ts';
import { recover } from './run/recover.ts';
import { listRecoveries, readRecovery } from './run/recoveries.ts';
import { resolveHome } from './run/resolve-home.ts';
import type { RewindOptions } from './run/rewind/rewind-ports.ts';
import { rewindRun, settleRewind } from './run/rewind/rewind-run.ts';
import { simulateRun } from './run/simulate-run.ts';
import { takeOverRun } from './run/take-over-run.ts';
import { assertDrivable } from './wiring/assert-drivable.ts';
import { resumeRun, startRun } from './wiring/begin-run.ts';
import type { EngineParts } from './wiring/engine-parts.ts';
import { executeReplay, replay } from './wiring/replay.ts';
import { createSandboxSource } from './wiring/sandbox-source.ts';
import { createStoreEngine } from './wiring/store-engine.ts';
import { createSweeper } from './wiring/sweeper.ts';

export { EngineError, type EngineErrorCode, isEngineError, toErrorExitCode } from '../shared/engine-error.ts';
export type { JournalEvent } from '../shared/event.ts';
export { RunId } from '../shared/id.ts';
export type { LiveUpdate } from '../shared/live-update.ts';
export type { RunOutcome } from '../shared/outcome.ts';
export { parseSize } from '../shared/parse-size.ts';
export type { RunState } from '../shared/run-state.ts';
export type { TaskContract, TaskContractInput } from '../shared/task-contract.ts';
export { parseTaskContract } from './contract/parse-task-contract.ts';
export type { RunSummary, TraceRow } from './journal/journal.ts';
export type * from './journal/retention/store-report.ts';
export type { PolicyImport } from './policy/policy-import.ts';
export type { Simulation } from './policy/simulate.ts';
export type * from './provider/model-provider.ts';
export type { RunControl } from './run/control/run-control.ts';
export type {
  ApprovalRequest,
  Decided,
  DecideParams,
  DeniedCall,
  Divergence,
  Engine,
  EngineOptions,
  Execution,
  ExplainParams,
  Explanation,
  ForkedRun,
  ForkRunParams,
  Recovered,
  RecoverParams,
  RecoveryRequest,
  Replay,
  ReplayParams,
  ResumeSettings,
  RewindParams,
  RewindReport,
  RunHandle,
  RunResult,
  RunSettingsParams,
  StartRunParams,
  TakenOver,
  UnrunCall,
  UsageReport,
} from './run/engine.ts';
export type { SandboxReport } from './run/inspect-sandbox.ts';
export type { AdoptedRun, AdoptRunParams, StoreEngine } from './run/store-engine.ts';
export { toTree } from './run/to-tree.ts';

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
  const starting = new Set<Promise<unknown>>();
  const running = new Set<RunHandle>();
  const closing = new AbortController();
  let opening: Promise<Journal> | null = null;
  const open = (): Promise<Journal> => {
    opening ??= openJournal({ home, workerUrl: journalWorkerUrl() }).catch((error) => {
      opening = null; // The next call may find the store well again.
      throw error;
    });
    return opening;
  };
  const openSandbox = createSandboxSource(home);
  const anySandbox = () => openSandbox(null).sandbox;
  const parts: EngineParts = {
    home,
    environment,
    open,
    dispatcher,
    fetchPage: createPageFetcher({ environment }),
    openSandbox,
    ownProvider: options.provider ?? null,
    ownReviewer: options.reviewer ?? null,
  };
  const sweeper = createSweeper();
  const begin = async (beginning: Promise<RunHandle>): Promise<RunHandle> => {
    sweeper.start();
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
  /** While the store is being opened, a long run is read already; what is appended meanwhile is folded in behind it. */
  const readRun = async (runId: RunId): Promise<RunState> => {
    const isOpening = opening === null;
    const opened = open();
    const early = isOpening ? readEarly(home, (reader) => foldAll(reader, { runId }, null, 0)) : null;
    return foldAll((await opened).reader, { runId }, early, early?.seq ?? 0);
  };

  const toRewind = async (runId: RunId): Promise<RewindOptions> => {
    const redactor = createOwnRedactor(environment);
    return { home, journal: await open(), redactor, sandbox: anySandbox(), runId };
  };
  const takeUp = async (runId: RunId, wish: ResumeSettings): Promise<RunHandle> => {
    const found = await readRun(runId);
    const params = typeof wish === 'function' ? wish(found) : wish;
    if (found.rewinding === null) return resumeRun(parts, found, params);
    assertDrivable(parts, params);
    return resumeRun(parts, await settleRewind(await toRewind(runId), found), params);
  };
  /** Closing waits for it. */
  const whole = async <Result>(work: Promise<Result>): Promise<Result> => {
    starting.add(work);
    try {
      return await work;
    } finally {
      starting.delete(work);
    }
  };

  return {
    home,
    readRun,
    startRun: (params) => begin(startRun(parts, params)),
    resumeRun: (runId, params = {}) => begin(takeUp(runId, params)),
    listRuns: async () => (await open()).reader.listRuns(),
    readEvents: async (runId, afterSeq, limit) => (await open()).reader.readEvents(runId, afterSeq, limit),
    readTrace: async (runId, afterSeq, limit) => (await open()).reader.readTrace(runId, afterSeq, limit),
    readText: async ({ hash }) => new TextDecoder().decode((await open()).reader.readBlob(hash)),
    listApprovals: async (runId) => listApprovals((await open()).reader, runId ?? null),
    readApproval: async (request) => readApproval((await open()).reader, request),
    decide: async (params) =>
      decide({ home, journal: await open(), redactor: createOwnRedactor(environment), sandbox: anySandbox(), params }),
    previewRemember: async (request, remember) => previewRemember({ home, journal: await open() }, request, remember),
    explain: async (params) => explain({ ...params, home, sandbox: anySandbox() }),
    checkPolicy: async (file) => countRules(parsePolicyFile(readNamedFile(file), file)),
    simulate: async (runId, policyFile) =>
      simulateRun({ home, reader: (await open()).reader, state: await readRun(runId), policyFile }),
    importPolicy: async (file) => importPolicy(readNamedFile(file), file),
    inspectSandbox: () => inspectSandbox(home),
    listRecoveries: async (runId) => listRecoveries((await open()).reader, runId ?? null),
    readRecovery: async (request) => readRecovery((await open()).reader, request),
    recover: async (params) =>
      recover({ home, journal: await open(), redactor: createOwnRedactor(environment), params }),
    rewindRun: async (runId, params) => {
      if (params.mode === 'carry-out') assertDrivable(parts, params);
      return whole(toRewind(runId).then((options) => rewindRun(options, params)));
    },
    forkRun: async (runId, params) => {
      assertDrivable(parts, params);
      const options = { home, journal: await open(), redactor: createOwnRedactor(environment), sandbox: anySandbox() };
      return whole(forkRun(options, runId, params));
    },
    takeOverRun: async (runId, actor) => takeOverRun(await open(), await readRun(runId), actor),
    adoptStore: async () => (await open()).writer.adoptStore(),
    watchEvents: (runId, afterSeq, signal) => watchEvents(open, runId, afterSeq, signal),
    replayRun: async (runId, { mode, signal } = { mode: 'derive' }) => {
      const redactor = createOwnRedactor(environment);
      const replayParts = { home, journal: await open(), redactor, state: await readRun(runId) };
      if (mode === 'derive') return replay(replayParts);
      const { sandbox } = openSandbox('isolated');
      const stop = AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])]);
      return whole(executeReplay({ ...replayParts, sandbox, signal: stop }));
    },
    ...createRunControl({ open, redactor: createOwnRedactor(environment) }),
    store: createStoreEngine({ home, environment, open, whole }),
    async close() {
      closing.abort();
      await Promise.allSettled(starting);
      for (const handle of running) handle.interrupt('SIGTERM');
      await Promise.allSettled([...running].map(({ result }) => result));
      await sweeper.close();
      await dispatcher.close();
      await (await opening?.catch(() => null))?.close();
    },
  };
}

const createOwnRedactor = (environment: EngineParts['environment']): Redactor =>
  createRedactor({ knownSecrets: findKnownSecrets(environment) });

async function* watchEvents(
  open: EngineParts['open'],
  runId: RunId,
  afterSeq: number,
  signal: AbortSignal,
): AsyncGenerator<JournalEvent[]> {
  yield* (await open()).reader.watch(runId, afterSeq, signal);
}

function countRules({ layers = [] }: PolicyFile): { layers: number; rules: number } {
  return { layers: layers.length, rules: layers.reduce((rules, layer) => rules + layer.rules.length, 0) };
}
