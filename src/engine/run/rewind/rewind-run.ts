// Takes a run back, or files of it alone, for a person. Everything is found out first; then copies of what somebody else has
// made, then the intent, then the changes, then what came of them: killed at any line, the next command finishes it.
import { agentOf } from '../../../shared/find-in-run.ts';
import { rootAgentId } from '../../../shared/id.ts';
import type { PutBackFile } from '../../../shared/rewind.ts';
import type { RunState } from '../../../shared/run-state.ts';
import { createBlob } from '../../journal/create-blob.ts';
import type { Lease } from '../../journal/journal.ts';
import type { Redactor } from '../../journal/redactor.ts';
import { assertAdopted } from '../assert-adopted.ts';
import { isStartedByRun } from '../assert-may-decide.ts';
import type { RewindParams, RewindReport } from '../engine.ts';
import { packChanges } from '../pack-changes.ts';
import { foldAll } from '../recorder.ts';
import { takeLease } from '../take-lease.ts';
import { finishRewind } from './finish-rewind.ts';
import { keepCopies } from './keep-copies.ts';
import { withWorkspace } from './open-rewind.ts';
import { planRewind, type RewindPlan } from './plan-rewind.ts';
import { changedSince, leaseLost, startedByRun } from './rewind-errors.ts';
import type { RewindOptions, RewindPorts } from './rewind-ports.ts';

/**
 * Rejects, with nothing changed, with `run-unknown`, `run-imported`, `run-owned`, `processes-left`, `workspace-unusable`,
 * `usage` (no such step or file) and `rewind-refused` (files that somebody else has changed since, nothing to undo, or a
 * caller that a run has started).
 */
export async function rewindRun(options: RewindOptions, params: RewindParams): Promise<RewindReport> {
  const { journal, runId } = options;
  const state = foldAll(journal.reader, { runId }, null, 0);
  assertAdopted(state);
  if (isStartedByRun(journal.reader.readOwner(runId))) throw startedByRun(runId);
  if (params.mode === 'preview') {
    return withWorkspace(options, state, async (ports) => toPreview(ports, await planRewind(ports, state, params)));
  }
  return withLease(options, (ports, lease, found) => carryOut(ports, lease, found, params));
}

/** Finishes a rewind that a crash has cut off, if there is one; the state is that after it. */
export async function settleRewind(options: RewindOptions, state: RunState): Promise<RunState> {
  if (state.rewinding === null) return state;
  await withLease(options, async (ports, lease, found) => {
    if (found.rewinding !== null) await finishRewind(ports, lease, found, 'found');
  });
  return foldAll(options.journal.reader, options, null, 0);
}

async function withLease<Result>(
  options: RewindOptions,
  use: (ports: RewindPorts, lease: Lease, state: RunState) => Promise<Result>,
): Promise<Result> {
  const { journal, runId } = options;
  const lease = await takeLease(journal.writer, runId);
  try {
    const state = foldAll(journal.reader, lease, null, 0);
    return await withWorkspace(options, state, (ports) => use(ports, lease, state));
  } finally {
    await journal.writer.releaseLease(lease);
  }
}

async function carryOut(
  ports: RewindPorts,
  lease: Lease,
  found: RunState,
  params: RewindParams,
): Promise<RewindReport> {
  const { reader } = ports.journal;
  if (found.rewinding !== null) await finishRewind(ports, lease, found, 'found');
  const state = foldAll(reader, lease, null, 0);
  const plan = await planRewind(ports, state, params);
  const changed = plan.files.filter(({ fate }) => fate === 'changed').map(({ path }) => path);
  if (changed.length > 0) throw changedSince(changed);
  const files = await keepCopies(ports.home, ports.runId, plan.files);
  await announce(ports, lease, state, { ...plan, files }, params.actor);
  return finishRewind(ports, lease, foldAll(reader, lease, state, state.seq), 'own');
}

/** The intent, with both images of every path, is durable before anything is touched. */
async function announce(
  { journal, redactor, runId }: RewindPorts,
  lease: Lease,
  state: RunState,
  { aim, files, untold }: RewindPlan,
  actor: string,
): Promise<void> {
  const changes = files.flatMap(({ change }) => (change === null ? [] : [change]));
  const packed =
    changes.length === 0 ? null : createBlob(packChanges(changes), { origin: 'engine', redactor, original: 'seal' });
  const { step } = agentOf(state, { agentId: rootAgentId });
  const body = {
    type: 'rewind-start',
    actor,
    aim,
    ...(packed === null ? {} : { changes: packed.ref }),
    files: files.map((file) => toTold(file, redactor)),
    untold,
  } as const;
  const event = { agentId: rootAgentId, step, at: Date.now(), body };
  const appended = await journal.writer.append(lease, [event], packed === null ? [] : [packed]);
  if (appended.kind === 'lease-lost') throw leaseLost(runId);
}

function toTold({ path, fate, because, copy }: PutBackFile, redactor: Redactor): PutBackFile {
  const mask = (text: string): string => redactor.redact(text.toWellFormed()).text;
  return {
    path: mask(path),
    fate,
    ...(because === undefined ? {} : { because: mask(because) }),
    ...(copy === undefined ? {} : { copy: mask(copy) }),
  };
}

function toPreview({ redactor, runId }: RewindPorts, { aim, files, untold }: RewindPlan): RewindReport {
  const step = aim.kind === 'step' ? aim.step : null;
  const told = files.map((file) => toTold(file, redactor));
  return { runId, aim: aim.kind, step, isDone: false, files: told, untold, cancelled: [] };
}
