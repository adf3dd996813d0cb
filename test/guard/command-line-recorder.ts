// Runs lines by the real bash, where every program that can be found only writes down how it was started. PATH leads to these
// recorders alone, and the directory is thrown away, so a line can do nothing but be recorded.
import { spawnSync } from 'node:child_process';
import { chmodSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Recorder extends Disposable {
  /** What keeps the line away from everything else. */
  readonly isolation: string;
  /** The words of every program that a line starts. */
  record(line: string): readonly (readonly string[])[];
}

const unshare = [
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  '--pid',
  '--net',
  '--ipc',
  '--fork',
  '--kill-child',
];
const isolations = [
  { name: 'namespaces of its own (unshare), in a directory that is thrown away', prefix: unshare },
  { name: 'only a PATH of recorders, in a directory that is thrown away', prefix: [] },
];

/** `succeeding` and `failing` are the names that can be run; all others are not found. */
export function openRecorder(names: { succeeding: readonly string[]; failing: readonly string[] }): Recorder {
  const root = mkdtempSync(join(tmpdir(), 'recorder-'));
  const [programs, records, places] = ['programs', 'records', 'a/b/c'].map((name) => join(root, name));
  if (programs === undefined || records === undefined || places === undefined) throw new Error('unreachable');
  for (const directory of [programs, records, join(places, 'd')]) mkdirSync(directory, { recursive: true });
  const write = (name: string, status: number) => {
    // One file for each process: what runs at the same time cannot mix.
    const script = `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@" > "$RECORDS/$$"\nexit ${status}\n`;
    writeFileSync(join(programs, name), script);
    chmodSync(join(programs, name), 0o755);
  };
  write('yes-recorder', 0);
  write('no-recorder', 1);
  for (const name of names.succeeding) linkSync(join(programs, 'yes-recorder'), join(programs, name));
  for (const name of names.failing) linkSync(join(programs, 'no-recorder'), join(programs, name));
  const isolation = isolations.find(({ prefix }) => spawnSync('env', [...prefix, 'true']).status === 0);
  const prefix = isolation?.prefix ?? [];
  let lines = 0;
  return {
    isolation: isolation?.name ?? 'none',
    record(line) {
      const argv = [...prefix, 'prlimit', '--nproc=400', '--fsize=1000000', '--cpu=2', 'env', '-i'];
      // A directory for each line: what a program in the background writes late belongs to its own line.
      const directory = join(records, `${++lines}`);
      mkdirSync(directory);
      const environment = [`PATH=${programs}`, `RECORDS=${directory}`, `HOME=${places}`, 'LC_ALL=C.UTF-8'];
      spawnSync('env', [...argv, ...environment, '/bin/bash', '--noprofile', '--norc', '-c', line], {
        cwd: places,
        stdio: 'ignore',
        timeout: 5000,
        killSignal: 'SIGKILL',
      });
      return readRecords(directory);
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A program that was ended before it had written anything left an empty file. */
function readRecords(directory: string): string[][] {
  return readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'utf8').split('\0').slice(0, -1))
    .filter((words) => words.length > 0);
}
