// The reader's questions as prepared statements: written once, compiled once.
import type { Database, Statement } from 'better-sqlite3';
import type { BlobHash } from '../../shared/id.ts';
import type { ActRow, TraceRow } from './journal.ts';
import type { LeaseRow } from './lease-owner.ts';
import type { Codec } from './store-blob.ts';

type Page = [runId: string, afterSeq: number, limit: number];

export interface BlobRow {
  readonly codec: Codec;
  readonly bytes: Uint8Array;
  readonly redacted: number;
}

export type ContentRow = BlobRow & { readonly hash: BlobHash };

export interface SealedRow {
  readonly nonce: Uint8Array;
  readonly bytes: Uint8Array;
}

/** One run with its last event and, where there is one, its lease; the lease's columns are null otherwise. */
export type RunRow = {
  readonly id: string;
  readonly title: string;
  readonly workspace: string;
  readonly started_at: number;
  readonly last_at: number;
  readonly events: number;
  readonly outcome: string | null;
  readonly imported_at: number | null;
  /** Of a run without an outcome that nobody holds: how it last began, or was begun anew. */
  readonly beginning: string | null;
} & LeaseRow;

export interface ReadQueries {
  /** The text of each event. */
  readonly events: Statement<Page, string>;
  /** The same for the types of a JSON array. */
  readonly eventsOf: Statement<[runId: string, types: string], string>;
  readonly lease: Statement<[runId: string], LeaseRow>;
  readonly head: Statement<[runId: string], number | null>;
  readonly blob: Statement<[hash: Uint8Array], BlobRow>;
  /** Those contents of a JSON array of hashes that are stored as they are. */
  readonly contents: Statement<[hashes: string], ContentRow>;
  readonly sealed: Statement<[hash: Uint8Array], SealedRow>;
  readonly runs: Statement<[limit: number], RunRow>;
  readonly trace: Statement<Page, TraceRow>;
  readonly acts: Statement<Page, ActRow>;
}

/** A run on its way in or out has an id that no run can have: whoever asks for it is told that there is none. */
export const isInSight: string = "run.id glob 'run-*'";

export function prepareReadQueries(database: Database): ReadQueries {
  const page = 'run = (select key from run where id = ?) and seq > ? order by seq limit ?';
  return {
    events: database.prepare<Page, string>(`select body from event where ${page}`).pluck(),
    eventsOf: database
      .prepare<[string, string], string>(
        `select body from event where run = (select key from run where id = ?)
         and type in (select value from json_each(?)) order by seq`,
      )
      .pluck(),
    lease: database.prepare(
      'select * from lease where run = (select key from run where id = ?) and released_at is null',
    ),
    head: database
      .prepare<[string], number | null>('select max(seq) from event where run = (select key from run where id = ?)')
      .pluck(),
    blob: database.prepare('select codec, bytes, redacted from blob where hash = ?'),
    contents: database.prepare(
      `select value as hash, codec, bytes, redacted
       from json_each(?) join blob on blob.hash = unhex(value) where redacted = 0`,
    ),
    sealed: database.prepare(
      'select nonce, sealed.bytes from sealed join blob on blob.key = sealed.blob where blob.hash = ?',
    ),
    runs: database.prepare(
      `select id, title, workspace, started_at, outcome, imported_at, lease.*, last.at as last_at, last.seq as events,
         case when outcome is null and released_at is not null then
           (select type from event where event.run = run.key
            and type in ('run-start', 'run-fork', 'run-adopt', 'run-resume') order by seq desc limit 1)
         end as beginning
       from run join lease on lease.run = run.key
       join event last on last.run = run.key and last.seq = (select max(seq) from event where event.run = run.key)
       where ${isInSight} order by run.key desc limit ?`,
    ),
    trace: database.prepare(
      `select seq, agent as agentId, step, call, type, at, summary
       from event join trace_row using (position) where ${page}`,
    ),
    acts: database.prepare(
      `select seq, agent as agentId, step, call, kind as act, target, effect, rule, layer
       from event join act using (position) where ${page}`,
    ),
  };
}
