// Writing an imported run: out of sight until it is whole, a few events at a time, by the very code that appends. The lease
// says who is at work on it, so that nobody takes it for what a crash has left.
import { randomUUID } from 'node:crypto';
import { EngineError } from '../../../shared/engine-error.ts';
import type { JournalEvent } from '../../../shared/event.ts';
import { type RunId, rootAgentId } from '../../../shared/id.ts';
import type { PreparedBlob } from '../store-blob.ts';
import type { Stores } from '../stores.ts';
import { toHiddenId } from './hide-run.ts';
import type { ImportSource } from './store-keeper.ts';

export function beginImport({ database, events, leases }: Stores, runId: RunId): number {
  if (events.findRun(runId) !== undefined) throw runExists(runId);
  const inserted = database
    .prepare("insert into run (id, title, workspace, started_at) values (?, '', '', 0)")
    .run(toHiddenId(randomUUID()));
  const run = Number(inserted.lastInsertRowid);
  leases.create(run, runId);
  return run;
}

export interface ImportedPart {
  readonly run: number;
  readonly events: readonly JournalEvent[];
}

export function addImported({ blobs, events }: Stores, part: ImportedPart, prepared: readonly PreparedBlob[]): void {
  for (const blob of prepared) blobs.put(blob);
  for (const { runId: _runId, seq: _seq, agentId, step, at, ...body } of part.events) {
    events.append(part.run, { agentId, step, at, body });
  }
}

export interface FinishImport {
  readonly run: number;
  readonly runId: RunId;
  readonly source: ImportSource;
}

export function finishImport({ database, events, leases }: Stores, { run, runId, source }: FinishImport): void {
  if (events.findRun(runId) !== undefined) throw runExists(runId);
  const at = Date.now();
  const body = { type: 'run-import', source: source.file, digest: source.digest } as const;
  events.append(run, { agentId: rootAgentId, step: 0, at, body });
  database.prepare('update run set id = ? where key = ?').run(runId, run);
  leases.release({ runId, generation: 1 }, at);
}

const runExists = (runId: RunId): EngineError =>
  new EngineError('run-exists', `Run ${runId} is in this journal already.`, {
    remedy: 'Read the one that is here, or import into another home with --home.',
  });
