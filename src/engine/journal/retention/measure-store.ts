// How large a store is, and what of. Asked of the tables alone, so that it costs no memory however many contents there are.
import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { RunId } from '../../../shared/id.ts';
import { isInSight } from '../read-queries.ts';
import type { ContentSize, OriginSize, RunSize, StoreStats } from './store-report.ts';
import { withSnapshot } from './with-database.ts';

export function measureStore(file: string, quotaBytes: number | null): Promise<StoreStats> {
  return withSnapshot(file, async (database) => {
    const runs = measureRuns(database);
    return {
      file,
      fileBytes: sizeOf(file),
      logBytes: sizeOf(`${file}-wal`),
      freeBytes: readNumber(database, 'freelist_count') * readNumber(database, 'page_size'),
      quotaBytes,
      eventBytes: runs.reduce((sum, run) => sum + run.eventBytes, 0),
      sealedBytes: database.prepare<[], number>(sealedSize).pluck().get() ?? 0,
      blobs: database.prepare<[], OriginSize>(sizeByOrigin).all(),
      shared: database.prepare<[], ContentSize>(sharedSize).get() ?? nothing,
      unnamed: database.prepare<[], ContentSize>(unnamedSize).get() ?? nothing,
      runs,
    };
  });
}

/** The size of each run, newest first. */
export function measureRuns(database: Database): RunSize[] {
  const rows = database.prepare<[], Omit<RunSize, 'runId'> & { readonly id: string }>(sizeByRun).all();
  return rows.map(({ id, ...size }) => ({ runId: RunId.parse(id), ...size }));
}

/** What the store takes up without its free pages. */
export function readUsedBytes(database: Database): number {
  return (
    (readNumber(database, 'page_count') - readNumber(database, 'freelist_count')) * readNumber(database, 'page_size')
  );
}

const nothing: ContentSize = { count: 0, bytes: 0 };

/** Each content with how many runs name it and one of them. */
const named = `
  select blob.key, length(blob.bytes) + coalesce((select length(bytes) from sealed where blob = blob.key), 0) as bytes,
    count(distinct event.run) as runs, min(event.run) as run
  from blob join event_blob on event_blob.blob = blob.key join event using (position) group by blob.key`;

const sizeByRun = `
  with named as materialized (${named}),
    own as (select run, sum(bytes) as bytes from named where runs = 1 group by run),
    shared as (
      select run, sum(bytes) as bytes from (
        select distinct event.run, named.key, named.bytes
        from named join event_blob on event_blob.blob = named.key join event using (position) where named.runs > 1
      ) group by run
    ),
    events as (select run, count(*) as events, sum(octet_length(body)) as bytes from event group by run)
  select run.id, run.title, coalesce(events.events, 0) as events, coalesce(events.bytes, 0) as eventBytes,
    coalesce(own.bytes, 0) as ownBytes, coalesce(shared.bytes, 0) as sharedBytes
  from run left join events on events.run = run.key left join own on own.run = run.key
    left join shared on shared.run = run.key
  where ${isInSight} order by run.key desc`;

const sharedSize = `select count(*) as count, coalesce(sum(bytes), 0) as bytes from (${named}) where runs > 1`;

const unnamedSize = `
  select count(*) as count, coalesce(sum(length(bytes)), 0) as bytes from blob
  where not exists (select 1 from event_blob where event_blob.blob = blob.key)`;

const sealedSize = 'select coalesce(sum(length(bytes)), 0) from sealed';

/** The origin stands in the events; a content that several name counts for the first of them. */
const sizeByOrigin = `
  with reference as (
    select unhex(json_extract(event.body, part.path || '.hash')) as hash, part.value as origin, min(position)
    from event, json_tree(event.body) as part
    where part.key = 'origin' and json_type(event.body, part.path || '.hash') = 'text'
    group by hash
  )
  select origin, count(*) as count, sum(length(blob.bytes)) as bytes
  from reference join blob using (hash) group by origin order by origin`;

function readNumber(database: Database, pragma: 'page_count' | 'page_size' | 'freelist_count'): number {
  return Number(database.pragma(pragma, { simple: true }));
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
