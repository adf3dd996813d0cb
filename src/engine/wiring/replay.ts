// What a replay gets of this engine and this home: the tools that models are told of, and whose answers count.
import type { RunState } from '../../shared/run-state.ts';
import { openCredential } from '../approval/credential.ts';
import type { Journal } from '../journal/journal.ts';
import type { Redactor } from '../journal/redactor.ts';
import { createAnswers } from '../run/answers.ts';
import type { Replay } from '../run/engine.ts';
import { readContract } from '../run/open-run.ts';
import { replayRun } from '../run/replay/replay-run.ts';
import { chooseTools } from './choose-tools.ts';

export interface ReplayParts {
  readonly home: string;
  readonly journal: Journal;
  readonly redactor: Redactor;
  readonly state: RunState;
}

export function replay({ home, journal, redactor, state }: ReplayParts): Replay {
  const { reader } = journal;
  const { runId } = state;
  const answers = createAnswers({ runId, reader, openCredential: () => openCredential(home) });
  // Answers of before it was imported were proven with the credential of another home: there they counted.
  const [imported] = reader.readEventsOf(runId, ['run-import']).toReversed();
  return replayRun({
    reader,
    runId,
    redactor,
    contract: readContract(journal, state),
    chooseTools: (policy, isolation, plan, taken) => chooseTools({ isolation, policy: { policy } }, plan, taken),
    keys: imported === undefined ? 'own' : 'perhaps',
    isGenuine: (seq) => seq < (imported?.seq ?? 0) || answers.isGenuine(seq),
  });
}
