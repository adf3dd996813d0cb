// Takes an imported run as one's own: it gets a workspace that is named now, and loses every permission and answer that was
// given elsewhere. Nothing is driven by this; whoever adopts can look at what the run will do before it goes on.
import { EngineError } from '../../shared/engine-error.ts';
import { openCallsOf } from '../../shared/find-in-run.ts';
import { type RunId, rootAgentId } from '../../shared/id.ts';
import type { RunState } from '../../shared/run-state.ts';
import { describeVerification } from '../contract/describe-verification.ts';
import { openWorkspaceRoot } from '../guard/open-workspace-root.ts';
import type { Journal } from '../journal/journal.ts';
import { readContract } from './open-run.ts';
import { foldAll } from './recorder.ts';
import { assertApart } from './resolve-home.ts';
import { readAgentTask } from './stance.ts';
import type { AdoptedRun, AdoptRunParams } from './store-engine.ts';
import { takeLease } from './take-lease.ts';

export interface AdoptRunOptions extends AdoptRunParams {
  readonly home: string;
  readonly journal: Journal;
}

/** Throws `run-unknown`, `usage` for a run that was not imported, `workspace-unusable`, and `run-owned`. */
export async function adoptRun({ home, journal, runId, workspace, actor }: AdoptRunOptions): Promise<AdoptedRun> {
  assertImported(foldAll(journal.reader, { runId }, null, 0));
  assertApart(home, workspace);
  using resources = new DisposableStack();
  const root = resources.adopt(openWorkspaceRoot(workspace, home), (opened) => opened.close());
  const lease = await takeLease(journal.writer, runId);
  try {
    const before = foldAll(journal.reader, { runId }, null, 0);
    assertImported(before);
    const { goal, verification } = readAdopted(journal, before);
    const place = { agentId: rootAgentId, step: before.agents[rootAgentId]?.step ?? 0 };
    const body = { type: 'run-adopt', actor, workspace: root.identity } as const;
    const appended = await journal.writer.append(lease, [{ ...place, at: Date.now(), body }], []);
    if (appended.kind === 'lease-lost') throw beingAdopted(runId);
    const check = describeVerification(verification);
    return { runId, workspace: root.identity.path, goal, check, unknownCalls: countUnknown(before) };
  } finally {
    await journal.writer.releaseLease(lease);
  }
}

function assertImported({ runId, imported }: RunState): void {
  if (imported !== null) return;
  throw new EngineError('usage', `Run ${runId} was not imported, or has been adopted already.`, {
    remedy: `Go on with it by "io-studio resume ${runId}".`,
  });
}

/** What holds a secret came in its masked form, unless its original did too: no run could keep to such a contract or task. */
function readAdopted(journal: Journal, state: RunState): ReturnType<typeof readContract> {
  try {
    for (const { assignment, ended } of Object.values(state.agents)) {
      if (assignment !== null && ended === null) readAgentTask(journal.reader, assignment.task);
    }
    return readContract(journal, state);
  } catch (cause) {
    const what = 'The contract, or the task of one of its agents,';
    throw new EngineError('run-imported', `${what} of run ${state.runId} did not come with it whole.`, {
      remedy:
        'Export the run again with --sealed where it was made, and import it with that key; it can be read as it is.',
      cause,
    });
  }
}

const countUnknown = (state: RunState): number =>
  openCallsOf(state).filter(({ stage }) => stage.kind === 'interrupted').length;

const beingAdopted = (runId: RunId): EngineError =>
  new EngineError('run-owned', `Run ${runId} is just being adopted by another process.`, {
    remedy: 'Look at it with "io-studio trace", and run the command again if it is still needed.',
  });
