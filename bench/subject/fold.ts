// Reads, parses and folds one run several times and prints how long each time took: `node fold.ts HOME RUN`. In turns with
// it goes the floor: the bare rows, each parsed as JSON and dropped. The first times include opening the database.
import SqliteDatabase from 'better-sqlite3';
import { createReader } from '../../src/engine/journal/create-reader.ts';
import { toDatabaseFile } from '../../src/engine/journal/store-file.ts';
import { foldAll } from '../../src/engine/run/recorder.ts';
import { RunId } from '../../src/shared/id.ts';

const repeats = 8;

const [home = '', run = ''] = process.argv.slice(2);
const runId = RunId.parse(run);
const { reader } = createReader(home);
const ours: number[] = [];
const floor: number[] = [];
for (let repeat = 0; repeat < repeats; repeat++) {
  ours.push(time(() => foldAll(reader, { runId }, null, 0)));
  floor.push(time(() => readBare(toDatabaseFile(home))));
}
reader.close();
process.stdout.write(JSON.stringify({ ours, floor }));

function readBare(file: string): void {
  const database = new SqliteDatabase(file, { readonly: true });
  const bodies = database.prepare<[], string>('select body from event order by run, seq').pluck();
  for (const body of bodies.all()) JSON.parse(body);
  database.close();
}

function time(work: () => void): number {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
}
