// Pipes for what children write. Node gives a child sockets, and a socket cannot be opened by a name: `echo x > /dev/stderr`,
// which every shell script may say, fails on one. A pipe can, and costs a program of the system for many at once.
import { execFile } from 'node:child_process';
import { closeSync, constants, fchmodSync, mkdtempSync, openSync, rmdirSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { findSystemProgram } from './find-system-program.ts';

/** Our end, already being read, and the number of the end that is given to a child; whoever gives it closes it then. */
export interface OutputPipe {
  readonly stream: Readable;
  readonly writeEnd: number;
}

interface Ends {
  readonly readEnd: number;
  readonly writeEnd: number;
}

const madeAtOnce = 16;
/** Never more than these are kept. */
const spare: Ends[] = [];
let making: Promise<readonly Ends[]> | null = null;

/** Null where this system has no such pipes to give, or no room for them. */
export async function openOutputPipe(): Promise<OutputPipe | null> {
  const ends = await takeEnds();
  if (ends === null) return null;
  return { stream: new Socket({ fd: ends.readEnd, readable: true, writable: false }), writeEnd: ends.writeEnd };
}

/** However many want one at once, only as many are made at a time: each is two descriptors of this process. */
async function takeEnds(): Promise<Ends | null> {
  for (;;) {
    const ends = spare.pop();
    if (ends !== undefined) return ends;
    making ??= makeSpare();
    if ((await making).length === 0) return null;
  }
}

async function makeSpare(): Promise<readonly Ends[]> {
  try {
    const made = await makeEnds();
    spare.push(...made);
    return made;
  } finally {
    making = null;
  }
}

const run = promisify(execFile);

async function makeEnds(): Promise<Ends[]> {
  const program = process.platform === 'win32' ? null : findSystemProgram('mkfifo');
  if (program === null) return [];
  let directory: string;
  try {
    directory = mkdtempSync(join(tmpdir(), 'io-studio-pipes-'));
  } catch {
    return []; // The child gets sockets then.
  }
  const paths = Array.from({ length: madeAtOnce }, (_, index) => join(directory, String(index)));
  try {
    await run(program, ['-m', '600', ...paths], { env: {}, timeout: 5_000 });
    return keepRoom(paths.flatMap(openEnds));
  } catch {
    return [];
  } finally {
    removeNames(directory, paths);
  }
}

/** Where descriptors run out, all of them here would leave none for what the pipes are for. */
function keepRoom(made: Ends[]): Ends[] {
  const surplus = made.length < madeAtOnce ? made.splice(usedAtOnce) : [];
  for (const { readEnd, writeEnd } of surplus) for (const end of [readEnd, writeEnd]) closeSync(end);
  return made;
}

/** Both outputs of one child. */
const usedAtOnce = 2;

function openEnds(path: string): Ends[] {
  let readEnd: number | undefined;
  try {
    readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const writeEnd = openSync(path, constants.O_WRONLY);
    // A child that runs as somebody else must be able to open what it already holds. Nobody can come by its name.
    fchmodSync(writeEnd, 0o622);
    return [{ readEnd, writeEnd }];
  } catch {
    if (readEnd !== undefined) closeSync(readEnd);
    return [];
  }
}

/** By their names and in a way that needs no descriptor: there may be none left. */
function removeNames(directory: string, paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { force: true });
  try {
    rmdirSync(directory);
  } catch {
    // It is empty and nobody else's: one that cannot be removed does no harm.
  }
}
