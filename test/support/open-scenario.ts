// A whole engine against a scripted server: a home, a workspace and a journal of its own, all gone with the test. Nothing in
// it stands in for a part of the engine; only the model is a script, behind real HTTP.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createEngine,
  type Engine,
  type EngineOptions,
  type JournalEvent,
  type RunHandle,
  type RunId,
  type RunResult,
  type RunSettingsParams,
  type TaskContractInput,
} from '../../src/engine/index.ts';
import type { Script, WireMessage } from './scripted-model-script.ts';
import { type ScriptedModelServer, startScriptedModelServer } from './scripted-model-server.ts';
import { createTemporaryDirectory } from './temporary-directory.ts';

export const scenarioKey = 'sk-scenario-a1B2c3D4e5F6g7H8';

export interface ScenarioOptions {
  /** Files of the workspace, by relative path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** The home's `prices.jsonc`. */
  readonly prices?: object;
  readonly environment?: Readonly<Record<string, string>>;
}

/** What a test says of a contract: goal and workspace are the scenario's. */
export type ScenarioContract = Partial<Omit<TaskContractInput, 'workspace'>>;

export interface RunRecord {
  readonly result: RunResult;
  /** Everything the handle told, in order. */
  readonly events: readonly JournalEvent[];
}

export interface Scenario extends AsyncDisposable {
  readonly workspace: string;
  readonly home: string;
  readonly server: ScriptedModelServer;
  readonly engine: Engine;
  /** What a process needs in its environment to find the server. */
  readonly environment: Readonly<Record<string, string>>;
  /** Another engine on the same home, as another process would have it; closed with the scenario. */
  openEngine(options?: EngineOptions): Engine;
  contract(contract?: ScenarioContract): TaskContractInput;
  start(contract?: ScenarioContract, params?: RunSettingsParams): Promise<RunHandle>;
  /** Starts a run and follows it to its end. */
  run(contract?: ScenarioContract, params?: RunSettingsParams): Promise<RunRecord>;
  resume(runId: RunId, params?: RunSettingsParams): Promise<RunRecord>;
  read(file: string): string;
  write(file: string, content: string | Uint8Array): void;
  /** The messages of the request at `place` in the server's log; negative counts from the end. */
  messages(place: number): WireMessage[];
  /** For a test that tampers with the journal: what is in it then need not follow. */
  exemptFromReplay(): void;
}

export async function openScenario(script: Script, options: ScenarioOptions = {}): Promise<Scenario> {
  const opened = new AsyncDisposableStack();
  const place = opened.use(createTemporaryDirectory());
  const [workspace, home] = [place.make('workspace'), place.make('home')];
  for (const [file, content] of Object.entries(options.files ?? {})) place.write(join('workspace', file), content);
  if (options.prices !== undefined) place.write('home/prices.jsonc', JSON.stringify(options.prices));
  const server = opened.use(await startScriptedModelServer(script));
  const environment = {
    OPENAI_BASE_URL: server.url,
    OPENAI_MODEL: 'scripted',
    OPENAI_API_KEY: scenarioKey,
    ...options.environment,
  };
  const openEngine = (options: EngineOptions = {}): Engine => {
    const engine = createEngine({ home, environment, ...options });
    opened.defer(() => engine.close());
    return engine;
  };
  // Closed behind all engines of the test, so that nobody drives any more.
  let isExempt = process.env.IO_STUDIO_TEST_REPLAY === undefined;
  opened.defer(async () => {
    if (!isExempt) await replayAll({ home, environment });
  });
  const engine = openEngine();
  const contract = (given: ScenarioContract = {}): TaskContractInput => ({ goal: 'Do it.', ...given, workspace });
  const start = (given?: ScenarioContract, params: RunSettingsParams = {}) =>
    engine.startRun({ contract: contract(given), ...params });
  return {
    workspace,
    home,
    server,
    engine,
    environment,
    openEngine,
    contract,
    start,
    run: async (given, params) => follow(await start(given, params)),
    resume: async (runId, params) => follow(await engine.resumeRun(runId, params)),
    read: (file) => readFileSync(join(workspace, file), 'utf8'),
    write: (file, content) => writeFileSync(join(workspace, file), content),
    messages: (at) => toMessages(server, at),
    exemptFromReplay: () => {
      isExempt = true;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Whatever a test has had a run do, the journal of it follows. */
async function replayAll(place: Pick<Scenario, 'home' | 'environment'>): Promise<void> {
  const engine = createEngine(place);
  try {
    const divergences: string[] = [];
    for (const { runId } of await engine.listRuns()) {
      const { divergence } = await engine.replayRun(runId);
      if (divergence !== null) divergences.push(`Run ${runId} does not follow: ${JSON.stringify(divergence)}`);
    }
    if (divergences.length > 0) throw new Error(divergences.join('\n'));
  } finally {
    await engine.close();
  }
}

/** Follows a run to its end. */
export async function follow(handle: RunHandle): Promise<RunRecord> {
  const events: JournalEvent[] = [];
  for await (const batch of handle.events()) events.push(...batch);
  return { result: await handle.result, events };
}

function toMessages({ requests }: ScriptedModelServer, place: number): WireMessage[] {
  const messages = requests.at(place)?.body?.messages;
  if (!Array.isArray(messages)) throw new RangeError(`The log has no request ${place}`);
  return messages;
}
