// What a replay gets of this engine and this home: the tools that models are told of, whose answers count, and what encloses
// commands where they are run again.
import { EngineError } from '../../shared/engine-error.ts';
import type { RunState } from '../../shared/run-state.ts';
import { openCredential } from '../approval/credential.ts';
import type { Journal } from '../journal/journal.ts';
import type { Redactor } from '../journal/redactor.ts';
import { createAnswers } from '../run/answers.ts';
import type { Replay } from '../run/engine.ts';
import { executeRun } from '../run/replay/execute/execute-run.ts';
import { type ReplayOptions, replayRun } from '../run/replay/replay-run.ts';
import { readReplayedContract } from '../run/replay/replayed-contract.ts';
import type { ProbedSandbox } from '../sandbox/select-sandbox.ts';
import { chooseTools } from './choose-tools.ts';

export interface ReplayParts {
  readonly home: string;
  readonly journal: Journal;
  readonly redactor: Redactor;
  readonly state: RunState;
}

export const replay = (parts: ReplayParts): Promise<Replay> => replayRun(toOptions(parts));

export interface ExecuteParts extends ReplayParts {
  /** One that runs nothing where it cannot enclose it. */
  readonly sandbox: ProbedSandbox;
  readonly signal: AbortSignal;
}

export async function executeReplay({ sandbox, signal, ...parts }: ExecuteParts): Promise<Replay> {
  const { home, state } = parts;
  await assertEnclosed(sandbox, state);
  return executeRun({ ...toOptions(parts), home, sandbox, original: state, signal });
}

async function assertEnclosed(sandbox: ProbedSandbox, { runId, settings }: RunState): Promise<void> {
  const obstacle = await sandbox.findObstacle();
  if (obstacle === null || settings.isolation === null) return;
  const { reason, advice } = obstacle;
  throw new EngineError('sandbox-unavailable', `The commands of run ${runId} are not run again: ${reason}.`, {
    remedy: `${advice === null ? '' : `${advice} `}"io-studio replay ${runId}" alone runs none.`,
  });
}

function toOptions({ home, journal, redactor, state }: ReplayParts): ReplayOptions {
  const { reader } = journal;
  const { runId } = state;
  const answers = createAnswers({ runId, reader, openCredential: () => openCredential(home) });
  // Answers of before it was imported were proven with the credential of another home: there they counted.
  const [imported] = reader.readEventsOf(runId, ['run-import']).toReversed();
  const keys = imported === undefined ? 'own' : 'perhaps';
  return {
    reader,
    runId,
    redactor,
    contract: readReplayedContract(reader, state, keys),
    chooseTools: (policy, isolation, contract, taken) =>
      chooseTools({ isolation, policy: { policy } }, contract, taken),
    keys,
    isGenuine: (seq) => seq < (imported?.seq ?? 0) || answers.isGenuine(seq),
  };
}
