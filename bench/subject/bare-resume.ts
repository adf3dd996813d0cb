// The least that going on with a run can be: its rows are read and parsed, then something is asked. `node bare-resume.ts
// DATABASE URL`.
import SqliteDatabase from 'better-sqlite3';
import { toWorkingTask } from '../support/model-script.ts';

const [file = '', url = ''] = process.argv.slice(2);
const database = new SqliteDatabase(file, { readonly: true });
const bodies = database.prepare<[], string>('select body from event order by run, seq').pluck();
for (const body of bodies.all()) JSON.parse(body);
database.close();
const messages = [{ role: 'user', content: toWorkingTask(0) }];
const response = await fetch(`${url}/chat/completions`, {
  method: 'POST',
  body: JSON.stringify({ model: 'scripted', messages }),
});
await response.text();
