// One run as one file: a SQLite database of its own kind, with the events as the journal keeps them and the contents that
// they name. Everything else follows from those and is made again where the file is read.
import { EngineError } from '../../../shared/engine-error.ts';

/** Marks a SQLite file as an exported run ("ioEx"). */
export const exportApplicationId = 0x696f4578;

export const exportFormat = 1;

export const exportSchema = `
create table header (
  run text not null,
  engine text not null,
  exported_at integer not null,
  events integer not null,
  blobs integer not null
) strict;

create table event (
  seq integer primary key,
  body text not null
) strict;

create table blob (
  hash blob primary key,
  codec text not null,
  bytes blob not null,
  size integer not null,
  redacted integer not null
) strict;

-- Originals of masked contents, under a key made for this file alone.
create table sealed (
  hash blob primary key,
  nonce blob not null,
  bytes blob not null
) strict;
`;

/** The error for a file that is not, or not safely, an exported run. */
export const exportInvalid = (file: string, why: string, cause?: unknown): EngineError =>
  new EngineError('export-invalid', `${file} cannot be used as an exported run: ${why}.`, {
    remedy: 'Nothing of it was taken over. Export the run again where it was made, and copy the file whole.',
    cause,
  });
