// The schema of a database as SQLite keeps it, and as it has to be.
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { migrations } from '../migrations.ts';

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/** What is different from a database made by `statements`, in words; null: nothing. */
export function findSchemaFault(database: Database, statements: readonly string[]): string | null {
  const wanted = toSchema(statements);
  const rows = readSchema(database);
  const stranger = rows.find((row) => wanted.get(row.name) !== toText(row));
  if (stranger !== undefined) return `its ${stranger.type} "${stranger.name}" is not the one that belongs there`;
  const names = new Set(rows.map(({ name }) => name));
  const missing = [...wanted.keys()].find((name) => !names.has(name));
  return missing === undefined ? null : `it has no "${missing}"`;
}

/** The same for a journal of the present format. */
export const findJournalSchemaFault = (database: Database): string | null => findSchemaFault(database, migrations);

function toSchema(statements: readonly string[]): ReadonlyMap<string, string> {
  const database = new SqliteDatabase(':memory:');
  try {
    for (const statement of statements) database.exec(statement);
    return new Map(readSchema(database).map((row) => [row.name, toText(row)]));
  } finally {
    database.close();
  }
}

function readSchema(database: Database): SchemaRow[] {
  // What SQLite adds for `analyze` belongs to nobody.
  return database
    .prepare<[], SchemaRow>("select type, name, sql from sqlite_schema where name not glob 'sqlite_stat*'")
    .all();
}

const toText = ({ type, sql }: SchemaRow): string => `${type} ${sql ?? ''}`;
