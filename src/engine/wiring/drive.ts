// Puts the ports of one run together and sets its driver going.
import { randomInt } from 'node:crypto';
import { rootAgentId } from '../../shared/id.ts';
import { openCredential } from '../approval/credential.ts';
import type { Guard } from '../guard/guard.ts';
import type { Journal } from '../journal/journal.ts';
import { createAgentWorktrees } from '../run/agents/create-agent-worktrees.ts';
import { createAnswers } from '../run/answers.ts';
import { createRunChecker } from '../run/create-run-checker.ts';
import type { DriverPorts } from '../run/driver-ports.ts';
import type { DriverSettings } from '../run/driver-settings.ts';
import type { RunHandle } from '../run/engine.ts';
import { createLiveFeed } from '../run/live-feed.ts';
import type { OpenedRun } from '../run/open-run.ts';
import { createPolicyWatch } from '../run/policy-watch.ts';
import { readPrice } from '../run/read-price.ts';
import { createRecorder } from '../run/recorder.ts';
import type { Reviewer } from '../run/reviewer.ts';
import { createRunClock, systemClock } from '../run/run-clock.ts';
import { startDriving } from '../run/run-handle.ts';
import { createStanceOf } from '../run/stance.ts';
import { createTranscript } from '../run/transcript.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { createProcesses } from '../tool/process/processes.ts';
import { toToolSpecs } from '../tool/to-tool-spec.ts';
import type { Tool } from '../tool/tool.ts';
import type { EngineParts } from './engine-parts.ts';
import { createAgentOpener } from './open-agent.ts';
import { createModelSource, type OpenedModel } from './open-model.ts';
import { createWorktreeGuards } from './worktree-guards.ts';

export interface DriveOptions {
  readonly journal: Journal;
  readonly opened: OpenedRun;
  readonly model: OpenedModel;
  readonly reviewer: Reviewer | null;
  readonly guard: Guard;
  readonly settings: DriverSettings;
  readonly sandbox: Sandbox;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly afterSeq: number;
  /** What was opened for this run alone. */
  readonly resources: AsyncDisposableStack;
}

export async function drive(parts: EngineParts, options: DriveOptions): Promise<RunHandle> {
  const { home } = parts;
  const { journal, opened, model, reviewer, guard, settings, sandbox, tools, afterSeq } = options;
  await using resources = options.resources; // Until the driver has them: a key that is refused must not keep the lease.
  const { contract, lease, state } = opened;
  const { reader, writer } = journal;
  const { policy, isRepositoryChanged } = settings.policy;
  resources.defer(() => writer.releaseLease(lease));
  const clock = createRunClock(systemClock, state.activeMs);
  const answers = createAnswers({ runId: lease.runId, reader, openCredential: () => openCredential(home) });
  const stanceOf = createStanceOf({
    policy,
    isolation: settings.isolation ?? 'none',
    isGenuine: answers.isGenuine,
    reader,
  });
  const recorder = createRecorder({ state, lease, reader, writer, clock });
  const checker = { sandbox, guard, stanceOf, stateOf: () => recorder.state };
  const openModel = createModelSource(parts, resources.use(new AsyncDisposableStack()), model);
  const guards = resources.use(createWorktreeGuards(guard, { home, sandbox, fetchPage: parts.fetchPage }));
  const ports: DriverPorts = {
    contract,
    recorder,
    reader,
    transcript: createTranscript(reader),
    provider: model.provider,
    guard,
    worktrees: createAgentWorktrees({ home, runId: lease.runId, guard }),
    stanceOf,
    watchPolicy: await createPolicyWatch(guard, isRepositoryChanged),
    answers,
    reviewer,
    tools,
    processes: resources.use(createProcesses()),
    toolSpecs: toToolSpecs(tools.values()),
    check: createRunChecker({ ...checker, agentId: rootAgentId }).check,
    openAgent: createAgentOpener({ root: { contract, tools }, reader, checker, openModel, guards }),
    priceOf: (model) => readPrice(home, model),
    redactor: model.redactor,
    clock,
    live: createLiveFeed({ runId: lease.runId, knownSecrets: model.knownSecrets }),
    random: () => randomInt(2 ** 32) / 2 ** 32,
  };
  const held = resources.move();
  return startDriving({ ports, afterSeq, close: () => held.disposeAsync() });
}
