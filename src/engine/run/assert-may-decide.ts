// Who may answer: never a process that a run itself has started, or an agent could answer its own question.
import { EngineError } from '../../shared/engine-error.ts';
import type { RunId } from '../../shared/id.ts';
import type { RunState } from '../../shared/run-state.ts';
import type { JournalReader, LeaseOwner } from '../journal/journal.ts';
import { isDescendantOf } from '../process/is-descendant.ts';
import { readSystemIdentity } from '../process/process-identity.ts';
import { treeVariable } from '../process/process-index.ts';

type Owners = Pick<JournalReader, 'readOwner'>;

/** Throws `decision-refused`. */
export function assertMayDecide(reader: Owners, { runId, settings }: RunState): void {
  const owner = reader.readOwner(runId);
  if (isDriver(owner)) return;
  assertOutside(runId, owner);
  // Commands at the floor run with the person's own rights and could read the credential; a terminal they have not got.
  if (settings.isolation === 'none' && !(process.stdin.isTTY && process.stdout.isTTY)) {
    const remedy = 'Answer from a terminal, or in the window that drives the run.';
    throw refused(`the commands of run ${runId} are not enclosed, so only a person at a terminal is believed`, remedy);
  }
}

/** Whoever only holds a run back needs less: no run is worse off for it. Throws `decision-refused`. */
export function assertMayHoldBack(reader: Owners, { runId }: RunState): void {
  const owner = reader.readOwner(runId);
  if (!isDriver(owner)) assertOutside(runId, owner);
}

const isDriver = (owner: LeaseOwner | null): boolean => owner !== null && owner.pid === process.pid;

function assertOutside(runId: RunId, owner: LeaseOwner | null): void {
  if (!isStartedByRun(owner)) return;
  throw refused(
    `this process was started by run ${runId} itself, or by another`,
    'Answer from a terminal of your own.',
  );
}

/** The mark that every child of an engine carries also shows one whose parents have ended. */
export function isStartedByRun(owner: LeaseOwner | null): boolean {
  return process.env[treeVariable] !== undefined || (owner !== null && isStartedBy(owner));
}

/** A pid means something only in the namespace it was given in. */
const isStartedBy = ({ pidNamespace, pid, startTime }: LeaseOwner): boolean =>
  pidNamespace === readSystemIdentity().pidNamespace && isDescendantOf(pid, startTime);

const refused = (why: string, remedy: string): EngineError =>
  new EngineError('decision-refused', `Nobody can decide from here: ${why}.`, { remedy });
