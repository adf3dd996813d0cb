// The first step of taking a run out: from one transaction to the next nobody finds it any more, so that nobody can take up
// or read what is half gone. A crash then leaves a hidden run, which the next pruning ends.
import { EngineError } from '../../../shared/engine-error.ts';
import type { RunId } from '../../../shared/id.ts';
import { isFinal, RunOutcome } from '../../../shared/outcome.ts';
import { isInSight } from '../read-queries.ts';
import type { Stores } from '../stores.ts';
import type { Hiding, Removable } from './store-keeper.ts';

interface RunRow {
  readonly key: number;
  readonly outcome: string | null;
  readonly imported_at: number | null;
}

export interface HideRun {
  readonly runId: RunId;
  readonly removable: Removable;
  /** How many events whoever asks has seen; null: it does not matter. */
  readonly events: number | null;
}

/** Hides the run unless somebody drives it, or it can still be resumed and that is not to end. Throws `run-unknown`. */
export function hideRun({ database, leases }: Stores, { runId, removable, events }: HideRun): Hiding {
  const run = database.prepare<[string], RunRow>('select key, outcome, imported_at from run where id = ?').get(runId);
  if (run === undefined) throw unknownRun(runId);
  const driver = leases.findDriver(run.key);
  if (driver !== null) return { kind: 'kept', because: 'owned', why: driver };
  if (removable === 'over' && !isOver(database, run)) {
    return { kind: 'kept', because: 'unfinished', why: 'it is not over and can still be resumed' };
  }
  const head = database.prepare<[number], number>('select max(seq) from event where run = ?').pluck().get(run.key);
  if (events !== null && head !== events) return { kind: 'kept', because: 'changed', why: 'it has gone on since' };
  database.prepare('update run set id = ? where key = ?').run(toHiddenId(run.key), run.key);
  for (const table of ['lease', 'person_key']) database.prepare(`delete from ${table} where run = ?`).run(run.key);
  return { kind: 'hidden', run: run.key };
}

/** Hidden runs that no living process is importing. */
export function findHidden({ database, leases }: Stores): number[] {
  const hidden = database.prepare<[], number>(`select key from run where not ${isInSight}`).pluck();
  return hidden.all().filter((run) => leases.findDriver(run) === null);
}

/** The id of a run in the table that is on its way in or out. */
export const toHiddenId = (name: number | string): string => `hidden-${name}`;

/** An imported run that nobody has adopted cannot be resumed; one whose rewind was cut off has to be, whatever it had come to. */
function isOver(database: Stores['database'], { key, outcome, imported_at }: RunRow): boolean {
  if (imported_at !== null) return true;
  if (outcome === null || !isFinal(RunOutcome.parse(JSON.parse(outcome)))) return false;
  const last = database.prepare<[number], string>(
    "select type from event where run = ? and type in ('rewind-start', 'run-rewind') order by seq desc limit 1",
  );
  return last.pluck().get(key) !== 'rewind-start';
}

export const unknownRun = (runId: RunId): EngineError =>
  new EngineError('run-unknown', `There is no run ${runId} in this journal.`, {
    remedy: 'List the runs with `io-studio runs`, and check that --home is the one the run was started with.',
  });
