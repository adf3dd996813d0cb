// Runs the hostile programs as the superuser and as an ordinary user, each in a process of its own. Without the superuser's
// rights there is only the latter.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, closeSync, copyFileSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Enclosure } from '../expectations.ts';
import { HostileReport } from './report.ts';

export type Engine = Enclosure['engine'];

/** Of nobody else, and none that an engine gives to its sandboxes. */
const ordinaryUser = 60_611;

const program = join(import.meta.dirname, 'run-cases.ts');
const terminal = join(import.meta.dirname, 'with-terminal.py');
const openFiles = 40;
const isSuperuser = process.getuid?.() === 0;

export async function runRound(backend: Enclosure['backend'] | 'plainly', engine: Engine): Promise<HostileReport> {
  const hindrance = findHindrance(engine);
  if (hindrance !== null) return { kind: 'skipped', reason: hindrance };
  using setId = isSuperuser ? makeSetIdProgram() : null;
  const descriptor = openSync('/etc/passwd', 'r');
  const round = [process.execPath, program, backend, ...(setId === null ? [] : [setId.path])];
  const child = spawn('/usr/bin/python3', ['-I', terminal, ...round], {
    env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent' },
    // The last is an open file that is not meant for any command; the first few the runtime closes itself.
    stdio: ['ignore', 'pipe', 'pipe', ...Array<'ignore'>(openFiles).fill('ignore'), descriptor],
    ...toUser(engine),
  });
  closeSync(descriptor);
  const exited = once(child, 'exit');
  const [output, complaint] = await Promise.all([readAll(child.stdout), readAll(child.stderr)]);
  const [code] = await exited;
  if (code !== 0) throw new Error(`the hostile programs under ${backend} could not be run: ${complaint}`);
  return HostileReport.parse(JSON.parse(output));
}

const readAll = async (stream: Readable | null): Promise<string> => (stream === null ? '' : text(stream));

function findHindrance(engine: Engine): string | null {
  if (process.platform !== 'linux') return 'the programs are made for Linux';
  if (engine === 'superuser') return isSuperuser ? null : 'the tests do not run as the superuser';
  const look = spawnSync(process.execPath, ['--check', program], { ...toUser(engine), env: {} });
  return look.status === 0 ? null : 'other users may not read this checkout';
}

const toUser = (engine: Engine) => (engine === 'user' && isSuperuser ? { uid: ordinaryUser, gid: ordinaryUser } : {});

/** A program that tells who it runs as, and runs as the superuser whoever starts it. */
function makeSetIdProgram(): Disposable & { readonly path: string } {
  const directory = mkdtempSync('/var/tmp/set-id-');
  chmodSync(directory, 0o755);
  const path = join(directory, 'id');
  copyFileSync('/usr/bin/id', path);
  chmodSync(path, 0o4755);
  return { path, [Symbol.dispose]: () => rmSync(directory, { recursive: true }) };
}
