// The journal's format, as the list of steps that led to it. Steps are only ever appended: a file of any earlier version
// is brought up to date by running those it has not seen.

/** Marks a SQLite file as a journal of this engine ("ioSt"). */
export const applicationId = 0x696f5374;

/** The steps, from nothing to the present format; a file's `user_version` is how many it has taken. */
export const migrations: readonly string[] = [
  `
  create table run (
    key integer primary key,
    id text not null unique,
    title text not null,
    workspace text not null,
    started_at integer not null,
    outcome text
  ) strict;

  create table event (
    position integer primary key,
    run integer not null references run (key),
    seq integer not null,
    agent text not null,
    step integer not null,
    call integer,
    type text not null,
    at integer not null,
    version integer not null,
    body text not null,
    unique (run, seq)
  ) strict;

  create table blob (
    key integer primary key,
    hash blob not null unique,
    codec text not null,
    bytes blob not null,
    size integer not null,
    redacted integer not null
  ) strict;

  -- Which events name a blob. What no event names may be pruned; the foreign key makes pruning and reuse exclude each other.
  create table event_blob (
    blob integer not null references blob (key),
    position integer not null references event (position),
    primary key (blob, position)
  ) strict, without rowid;

  create table sealed (
    blob integer primary key references blob (key),
    nonce blob not null,
    bytes blob not null
  ) strict;

  create table person_key (
    run integer not null references run (key),
    type text not null,
    subject text not null,
    position integer not null references event (position),
    primary key (run, type, subject)
  ) strict, without rowid;

  create table lease (
    run integer primary key references run (key),
    generation integer not null,
    machine text not null,
    boot text not null,
    pid_namespace text not null,
    pid integer not null,
    start_time text not null,
    released_at integer
  ) strict;

  create table trace_row (
    position integer primary key references event (position),
    summary text not null
  ) strict;

  create table act (
    position integer primary key references event (position),
    kind text not null,
    target text not null,
    effect text not null,
    rule text,
    layer text not null
  ) strict;
  `,
  // What pruning has to find quickly: who names an event. And which runs came from elsewhere.
  `
  create index event_blob_by_position on event_blob (position);
  create index person_key_by_position on person_key (position);
  alter table run add column imported_at integer;
  `,
  // How the life of a driver is tested that no pid shows, where its records lie, and where this store itself lives.
  `
  alter table lease add column liveness text not null default '';
  alter table lease add column temporary text not null default '';

  create table store_place (
    key integer primary key check (key = 1),
    machine text not null,
    boot text not null,
    device text not null,
    inode text not null
  ) strict;
  `,
];
