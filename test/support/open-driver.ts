// A driver's ports over a real journal, guard and workspace in a temporary place, for tests of single actions. Only the
// model is a script, at its port, and the check a constant. The drivers of one test file share a journal.
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openCredential } from '../../src/engine/approval/credential.ts';
import type { CheckReport } from '../../src/engine/check/check.ts';
import { openGuard } from '../../src/engine/guard/open-guard.ts';
import { createBlob } from '../../src/engine/journal/create-blob.ts';
import type { Journal, Lease } from '../../src/engine/journal/journal.ts';
import { journalWorkerUrl } from '../../src/engine/journal/journal-worker-url.ts';
import { openJournal } from '../../src/engine/journal/open-journal.ts';
import { createRedactor } from '../../src/engine/journal/redactor.ts';
import { createPageFetcher } from '../../src/engine/net/fetch-page.ts';
import { composePolicy, type PolicyScope } from '../../src/engine/policy/compose-policy.ts';
import type { ModelRequest, ModelResult } from '../../src/engine/provider/model-provider.ts';
import { createAnswers } from '../../src/engine/run/answers.ts';
import type { DriverPorts } from '../../src/engine/run/driver-ports.ts';
import { createLiveFeed } from '../../src/engine/run/live-feed.ts';
import { createRun, type OpenRunPorts } from '../../src/engine/run/open-run.ts';
import { perform } from '../../src/engine/run/perform.ts';
import { plan } from '../../src/engine/run/plan.ts';
import { createPolicyWatch } from '../../src/engine/run/policy-watch.ts';
import { createRecorder } from '../../src/engine/run/recorder.ts';
import { createRunClock, systemClock } from '../../src/engine/run/run-clock.ts';
import type { RunPolicy } from '../../src/engine/run/run-policy.ts';
import { createStanceOf } from '../../src/engine/run/stance.ts';
import { createTranscript } from '../../src/engine/run/transcript.ts';
import { createTools } from '../../src/engine/tool/create-tools.ts';
import { createProcesses } from '../../src/engine/tool/process/processes.ts';
import { toToolSpec } from '../../src/engine/tool/to-tool-spec.ts';
import type { EventType, JournalEvent, Posture } from '../../src/shared/event.ts';
import { TaskContract, type TaskContractInput } from '../../src/shared/task-contract.ts';
import { createFloorSandbox } from './floor-sandbox.ts';
import { createTemporaryDirectory } from './temporary-directory.ts';

export interface OpenDriverOptions {
  readonly contract?: Partial<Omit<TaskContractInput, 'workspace'>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly replies?: readonly ModelResult[];
  readonly knownSecrets?: readonly string[];
  readonly posture?: Posture;
  /** Rules of the person, over the built-in ones. */
  readonly rules?: NonNullable<PolicyScope['policy']['layers']>[number]['rules'];
  readonly reviewer?: DriverPorts['reviewer'];
  /** `own`: for a test that breaks it. */
  readonly journal?: 'shared' | 'own';
}

export interface OpenedDriver extends AsyncDisposable {
  readonly ports: DriverPorts;
  readonly openPorts: OpenRunPorts;
  readonly journal: Journal;
  readonly lease: Lease;
  readonly workspace: string;
  readonly home: string;
  /** What the model was sent. */
  readonly requests: readonly ModelRequest[];
  /** Plans and performs until the next plan would begin with an action of this kind. */
  performUntil(kind: ReturnType<typeof plan>[number]['kind']): Promise<void>;
  /** The durable events of one type. */
  events<Type extends EventType>(type: Type): Extract<JournalEvent, { type: Type }>[];
}

export const scriptedChoice = { name: 'scripted', wire: 'custom', baseUrl: null, model: 'script' } as const;

/** The settings of a run that nobody chose anything for. */
export function toRunPolicy(scopes: readonly PolicyScope[] = []): RunPolicy {
  const blob = createBlob(JSON.stringify(scopes), { origin: 'engine' });
  return { policy: composePolicy(scopes), hash: 'policy', blob, isRepositoryChanged: false };
}

const tools = createTools({ commands: true, network: true, plan: true, agents: true });
const toolSpecs = [...tools.values()].map(toToolSpec);
const report: CheckReport = { result: 'notMet', summary: 'Not yet.', evidence: 'Nothing.', isolation: null };
const never = new AbortController().signal;

export async function openDriver(options: OpenDriverOptions = {}): Promise<OpenedDriver> {
  const place = createTemporaryDirectory();
  const workspace = place.make('workspace');
  for (const [file, content] of Object.entries(options.files ?? {})) place.write(join('workspace', file), content);
  const { home, journal, close } = await (options.journal === 'own' ? openHome() : openSharedHome());
  const sandbox = createFloorSandbox();
  const guard = await openGuard({ workspace, home, sandbox, fetchPage: createPageFetcher({ environment: {} }) });
  const layers = [{ name: 'own', rules: options.rules ?? [] }];
  const policy = toRunPolicy([{ origin: 'user', file: null, policy: { layers } }]);
  const knownSecrets = options.knownSecrets ?? [];
  const openPorts = { journal, guard, redactor: createRedactor({ knownSecrets }), clock: systemClock };
  const { contract, lease, state } = await createRun(openPorts, {
    contract: TaskContract.parse({ goal: 'Do it.', ...options.contract, workspace }),
    provider: scriptedChoice,
    posture: options.posture ?? 'all',
    contextTokens: 128_000,
    price: null,
    policy,
    minimumIsolation: 'isolated',
    isolation: null,
    reviewer: null,
    recovery: options.contract?.recovery ?? null,
    toolSpecs,
    engineVersion: '0',
  });
  const { reader, writer } = journal;
  const clock = createRunClock(systemClock, 0);
  const requests: ModelRequest[] = [];
  const answers = createAnswers({ runId: lease.runId, reader, openCredential: () => openCredential(home) });
  const ports: DriverPorts = {
    contract,
    recorder: createRecorder({ state, lease, reader, writer, clock }),
    reader,
    transcript: createTranscript(reader),
    provider: scriptProvider(options.replies ?? [], requests),
    guard,
    worktrees: null,
    stanceOf: createStanceOf({
      policy: policy.policy,
      isolation: sandbox.isolation ?? 'none',
      isGenuine: answers.isGenuine,
      reader,
    }),
    watchPolicy: await createPolicyWatch(guard, false),
    answers,
    reviewer: options.reviewer ?? null,
    tools,
    processes: createProcesses(),
    toolSpecs,
    check: async () => report,
    openAgent: () => {
      throw new RangeError('The script has no other agents');
    },
    priceOf: () => null,
    redactor: openPorts.redactor,
    clock,
    live: createLiveFeed({ runId: lease.runId, knownSecrets }),
    random: () => 0,
  };
  return {
    ports,
    openPorts,
    journal,
    lease,
    workspace,
    home,
    requests,
    performUntil: (kind) => performUntil(ports, kind),
    events: (type) => reader.readEvents(lease.runId).filter((event) => isOf(event, type)),
    async [Symbol.asyncDispose]() {
      await ports.processes[Symbol.asyncDispose]();
      guard.close();
      if (options.journal === 'own') await close();
      place[Symbol.dispose]();
    },
  };
}

let shared: ReturnType<typeof openHome> | undefined;

function openSharedHome(): ReturnType<typeof openHome> {
  shared ??= openHome();
  return shared;
}

afterAll(async () => {
  await (await shared)?.close();
});

/** Opening a journal starts a thread, which takes longer than most tests do. */
async function openHome() {
  const place = createTemporaryDirectory();
  const journal = await openJournal({ home: place.path, workerUrl: journalWorkerUrl() });
  const close = async () => {
    await journal.close();
    place[Symbol.dispose]();
  };
  return { home: place.path, journal, close };
}

/** A reply as the provider hands it over; its calls are numbered. */
export function toReply(
  text: string,
  calls: readonly { readonly tool: string; readonly arguments: object | string }[] = [],
  finish: 'stop' | 'calls' | 'length' | 'filter' = calls.length === 0 ? 'stop' : 'calls',
): ModelResult {
  const written = calls.map(({ tool, arguments: args }, call) => ({
    id: `c${call}`,
    tool,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
  }));
  const usage = { inputTokens: 100, outputTokens: 10, cachedInputTokens: 0 };
  return {
    kind: 'reply',
    reply: { message: { text, calls: written }, finish, usage, firstEventMs: 1, durationMs: 2 },
  };
}

function scriptProvider(replies: readonly ModelResult[], requests: ModelRequest[]): DriverPorts['provider'] {
  return {
    choice: scriptedChoice,
    measure: () => 0,
    complete: async (request) => {
      const reply = replies[requests.length];
      requests.push(request);
      if (reply === undefined) throw new RangeError(`The script has no reply ${requests.length}`);
      return reply;
    },
    close: async () => undefined,
  };
}

async function performUntil(ports: DriverPorts, kind: string): Promise<void> {
  for (let turn = 0; turn < 100; turn++) {
    const { clock, recorder } = ports;
    recorder.catchUp();
    const now = { activeMs: clock.activeMs() };
    const actions = plan(recorder.state, now, (tool) => tools.get(tool)?.kind ?? 'write');
    if (actions[0]?.kind === kind) return recorder.commit();
    for (const action of actions) {
      if (action.kind === 'stop' || action.kind === 'end' || action.kind === 'wait' || action.kind === 'await-answer') {
        throw new Error(`The run came to a rest before "${kind}": ${JSON.stringify(action)}`);
      }
      await perform(ports, action, never);
    }
  }
  throw new Error(`The plan never came to "${kind}"`);
}

const isOf = <Type extends EventType>(
  event: JournalEvent,
  type: Type,
): event is Extract<JournalEvent, { type: Type }> => event.type === type;
