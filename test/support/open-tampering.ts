// Changes what stands in a journal that nobody has open, as somebody might who can write to the file.
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { JournalEvent } from '../../src/engine/index.ts';

export interface Tampering {
  find(type: JournalEvent['type'], place: number): JournalEvent;
  /** Each returns the place at which a replay has to stop. */
  change(seq: number, from: string, to: string, more?: (text: string) => string): number;
  changeBlob(seq: number, field: string): number;
}

export function openTampering(home: string, events: readonly JournalEvent[]): Tampering {
  const edit = (use: (database: SqliteDatabase.Database) => void): void => {
    const database = new SqliteDatabase(join(home, 'journal.db'));
    use(database);
    database.close();
  };
  return {
    find(type, place) {
      const found = events.filter((event) => event.type === type)[place];
      if (found === undefined) throw new Error(`There is no ${type} ${place}`);
      return found;
    },
    change(seq, from, to, more = (text) => text) {
      edit((database) => {
        const body = String(database.prepare('select body from event where seq = ?').pluck().get(seq));
        if (!body.includes(from)) throw new Error(`${from} is not in ${body}`);
        database.prepare('update event set body = ? where seq = ?').run(more(body.replace(from, to)), seq);
      });
      return seq;
    },
    changeBlob(seq, field) {
      edit((database) => {
        const body: Record<string, { hash: string }> = JSON.parse(
          String(database.prepare('select body from event where seq = ?').pluck().get(seq)),
        );
        const key = Buffer.from(body[field]?.hash ?? '', 'hex');
        const done = database
          .prepare("update blob set codec = 'raw', bytes = ? where hash = ?")
          .run(Buffer.from('{}'), key);
        if (done.changes !== 1) throw new Error('Nothing was changed');
      });
      return seq;
    },
  };
}
