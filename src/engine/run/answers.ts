// Which answers count. A decision is a line in a database that many processes can write to; what makes it a person's is that it
// was made with the credential of the home, which no sandbox, tool or child ever sees.
import type { RunId } from '../../shared/id.ts';
import type { DecisionCredential } from '../approval/credential.ts';
import { toDecisionStatement, toRecoveryStatement } from '../approval/decision-statement.ts';
import type { JournalReader } from '../journal/journal.ts';

export interface Answers {
  /** Whether the event at `seq` answers with authority: a reviewer's, which the driver itself wrote, or a proven decision. */
  isGenuine(seq: number): boolean;
}

export interface AnswersOptions {
  readonly runId: RunId;
  readonly reader: Pick<JournalReader, 'readEvents'>;
  /** Opened at the first answer: most runs get none. */
  readonly openCredential: () => DecisionCredential;
}

export function createAnswers({ runId, reader, openCredential }: AnswersOptions): Answers {
  const known = new Map<number, boolean>();
  let credential: DecisionCredential | null = null;
  const check = (seq: number): boolean => {
    const [event] = reader.readEvents(runId, seq - 1, 1);
    if (event?.type === 'review-finish') return true;
    if (event?.type !== 'approval-decision' && event?.type !== 'recovery-decision') return false;
    if (event.proof === undefined) return false;
    credential ??= openCredential();
    const statement =
      event.type === 'approval-decision' ? toDecisionStatement(runId, event) : toRecoveryStatement(runId, event);
    return credential.verify(statement, event.proof);
  };
  return {
    isGenuine(seq) {
      const genuine = known.get(seq) ?? check(seq);
      known.set(seq, genuine);
      return genuine;
    },
  };
}
