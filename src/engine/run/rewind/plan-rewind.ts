// Everything a rewind would do, before it does any of it: where the conversation goes back to, and what becomes of each path.
import { EngineError } from '../../../shared/engine-error.ts';
import { agentOf } from '../../../shared/find-in-run.ts';
import { foldRun } from '../../../shared/fold-run.ts';
import { rootAgentId } from '../../../shared/id.ts';
import type { RewindAim } from '../../../shared/rewind.ts';
import type { AgentState, RunState } from '../../../shared/run-state.ts';
import type { RewindParams } from '../engine.ts';
import { type PathHistory, toPathHistories } from './path-history.ts';
import { planPutBack } from './plan-put-back.ts';
import type { PlannedFile } from './planned-file.ts';
import {
  changeEvents,
  inWorkspace,
  type RecordedChanges,
  readPacked,
  readRecordedChanges,
} from './recorded-changes.ts';
import { findRewindPoint, pointEvents } from './rewind-point.ts';
import type { RewindPorts } from './rewind-ports.ts';
import { toTreeAim } from './to-tree-aim.ts';

export interface RewindPlan {
  readonly aim: RewindAim;
  readonly files: readonly PlannedFile[];
  readonly untold: number;
}

/** Throws `usage` for a step or a file that there is none of, and `rewind-refused` where there is nothing to undo. */
export async function planRewind(
  ports: RewindPorts,
  state: RunState,
  { aim: wanted, foreign }: RewindParams,
): Promise<RewindPlan> {
  const { aim, recorded } = resolveAim(ports, state, wanted);
  const histories = wanted.kind === 'file' ? ofFile(recorded, wanted.path) : toPathHistories(recorded.changes);
  const files = await planPutBack({ ...ports, foreign }, histories);
  return { aim, files, untold: wanted.kind === 'file' ? 0 : recorded.untold };
}

interface ResolvedAim {
  readonly aim: RewindAim;
  readonly recorded: RecordedChanges;
}

function resolveAim(ports: RewindPorts, state: RunState, wanted: RewindParams['aim']): ResolvedAim {
  const { runId, journal } = ports;
  if (wanted.kind === 'undo') return resolveUndo(ports, state);
  const point = findRewindPoint(journal.reader.readEventsOf(runId, pointEvents), wanted.step);
  const events = inWorkspace(journal.reader.readEventsOf(runId, changeEvents)).filter(({ seq }) => seq > point);
  const recorded = readRecordedChanges(journal.reader, events);
  if (wanted.kind === 'file') return { aim: { kind: 'files' }, recorded };
  const then = foldRun(null, journal.reader.readEvents(runId, 0, point));
  if (then === null) throw new RangeError(`Run ${runId} has no event ${point}`);
  const isElsewhere = journal.reader.readEventsOf(runId, ['run-adopt']).some(({ seq }) => seq > point);
  const known = isElsewhere ? {} : agentOf(then, root).files; // Then it worked in another directory.
  const aim = toStepAim({ ...agentOf(then, root), files: known }, agentOf(state, root), wanted.step);
  return { aim: { ...aim, ...toTreeAim(then, state) }, recorded };
}

const root = { agentId: rootAgentId };

function toStepAim(then: AgentState, now: AgentState, step: number): Extract<RewindAim, { kind: 'step' }> {
  const { context, compactedBefore, leftOut } = then;
  const paths = new Set([...Object.keys(then.files), ...Object.keys(now.files)]);
  const seen = [...paths]
    .filter((path) => then.files[path] !== now.files[path])
    .map((path) => ({ path, hash: then.files[path] ?? null }));
  const left = leftOut.turns === 0 ? {} : { leftOut: leftOut.before };
  return { kind: 'step', step, items: context.length, compactedBefore, ...left, seen };
}

function resolveUndo({ runId, journal: { reader } }: RewindPorts, { rewound }: RunState): ResolvedAim {
  if (rewound === null) throw nothingToUndo();
  const [event] = reader.readEvents(runId, rewound.seq - 1, 1);
  const packed = event?.type === 'rewind-start' ? event.changes : undefined;
  const changes = packed === undefined ? [] : readPacked(reader, packed);
  return { aim: { kind: 'undo', rewind: rewound.seq }, recorded: { changes, untold: 0 } };
}

/** The file of that path, or what lies in the directory of that path. */
function ofFile({ changes }: RecordedChanges, given: string): PathHistory[] {
  const path = given.replace(/^(\.\/)+/, '').replace(/\/+$/, '');
  const histories = toPathHistories(changes).filter((each) => each.path === path || each.path.startsWith(`${path}/`));
  if (histories.length > 0) return histories;
  throw new EngineError('usage', `The run has not written ${JSON.stringify(given)} since then.`, {
    remedy: 'Name a path relative to the workspace, as --dry-run without --file lists them.',
  });
}

const nothingToUndo = (): EngineError =>
  new EngineError('rewind-refused', 'There is no rewind to undo: none was made, or the run has gone on since.', {
    remedy: 'Take the run back to an earlier step with --to instead; "io-studio trace RUN" lists the steps.',
  });
