// Opens a file that somebody says is an exported run. It may say anything: nothing in its schema is run before the schema is
// known to be ours, and nothing is read from pages that do not hold together.
import { closeSync, constants as fsConstants, fstatSync, openSync, readSync } from 'node:fs';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { EngineError, isEngineError } from '../../../shared/engine-error.ts';
import { exportApplicationId, exportFormat, exportInvalid, exportSchema } from './export-format.ts';
import { findSchemaFault } from './read-schema.ts';

export interface OpenedExport extends Disposable {
  readonly database: Database;
  /** The name that errors give it. */
  readonly file: string;
  readonly bytes: number;
}

/** The largest file that is looked at. */
export const maxExportBytes: number = 2 * 2 ** 30;

/** Opens an export that nobody else can write to. */
export function openExport(file: string, name: string = file): OpenedExport {
  const bytes = assertExportHead(file, name);
  let database: Database | undefined;
  try {
    database = new SqliteDatabase(file, { readonly: true, fileMustExist: true });
    for (const setting of ['trusted_schema = OFF', 'query_only = ON', 'cell_size_check = ON', 'mmap_size = 0']) {
      database.pragma(setting);
    }
    const fault = findSchemaFault(database, [exportSchema]) ?? findPageFault(database);
    if (fault !== null) throw exportInvalid(name, fault);
    const opened = database;
    return { database, file: name, bytes, [Symbol.dispose]: () => void opened.close() };
  } catch (error) {
    database?.close();
    throw isEngineError(error) ? error : exportInvalid(name, toReason(error), error);
  }
}

function findPageFault(database: Database): string | null {
  const found = String(database.pragma('integrity_check(1)', { simple: true }));
  return found === 'ok' ? null : `it is damaged: ${found}`;
}

const headBytes = 100;

/** What can be told from the first bytes alone, before SQLite is let near it. Returns the size. */
export function assertExportHead(file: string, name: string = file): number {
  const head = Buffer.alloc(headBytes);
  const descriptor = open(file, name);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw exportInvalid(name, 'it is not a file');
    if (stat.size > maxExportBytes) throw exportInvalid(name, `it is larger than ${maxExportBytes} bytes`);
    if (readSync(descriptor, head, 0, headBytes, 0) < headBytes) throw exportInvalid(name, 'it is too short');
    assertHead(head, name);
    return stat.size;
  } finally {
    closeSync(descriptor);
  }
}

function open(file: string, name: string): number {
  try {
    return openSync(file, fsConstants.O_RDONLY | fsConstants.O_NONBLOCK); // A pipe must not hold it up.
  } catch (error) {
    throw exportInvalid(name, toReason(error), error);
  }
}

function assertHead(head: Buffer, name: string): void {
  if (head.toString('latin1', 0, 16) !== 'SQLite format 3\0') throw exportInvalid(name, 'it is not a database');
  const id = head.readUInt32BE(68);
  if (id !== exportApplicationId) throw exportInvalid(name, `its application id is ${id}, not ${exportApplicationId}`);
  const format = head.readUInt32BE(60);
  if (format > exportFormat) {
    throw new EngineError(
      'store-newer',
      `${name} was exported in format ${format}; this version knows formats up to ${exportFormat}.`,
      { remedy: 'Import it with the version of io-studio that wrote it, or a newer one.' },
    );
  }
  if (format < 1) throw exportInvalid(name, `its format is ${format}`);
  // Of a file with a log beside it, the log is part.
  if (head[18] !== 1 || head[19] !== 1) throw exportInvalid(name, 'it is not closed: it has a log beside it');
}

const toReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
