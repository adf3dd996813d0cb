// What lies outside a sandbox while hostile programs run in it: files that everybody may touch, so that nothing but the
// sandbox keeps them, processes of the engine's user, and listeners. Afterwards it tells what was touched.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

export interface World extends AsyncDisposable {
  readonly workspace: string;
  /** Relative to the workspace: what a policy denies. */
  readonly hidden: readonly string[];
  /** In the environment of the engine and of one of its processes. */
  readonly marker: string;
  /** What the probes are told. */
  readonly fixture: Readonly<Record<string, unknown>>;
  /** What was touched, each with the names of the probes that may have done it. */
  readTouched(): Promise<readonly Touched[]>;
}

export interface Touched {
  readonly what: string;
  readonly by: readonly string[];
}

const Ports = z.object({ tcp: z.int(), udp: z.int() });

/** `setIdProgram`: a program that runs as root whoever starts it; only root can have made it. */
export async function openWorld(setIdProgram: string | null): Promise<World> {
  await using opened = new AsyncDisposableStack();
  const marker = `hostile-${randomBytes(8).toString('hex')}`;
  const base = realpathSync(mkdtempSync('/var/tmp/hostile-'));
  opened.defer(() => rmSync(base, { recursive: true, force: true }));
  const files = layOutFiles(base, setIdProgram);
  const victim = startProcess(marker, opened);
  const stopped = startProcess(marker, opened);
  stopped.kill('SIGSTOP');
  const listener = await startListener(base, marker, opened);
  await untilStopped(stopped);
  const fixture = {
    reversedMarker: [...marker].reverse().join(''),
    ...files,
    ...listener.fixture,
    victim: victim.pid,
    victimAddress: /^[0-9a-f]+/.exec(readFileSync(`/proc/${victim.pid}/maps`, 'latin1'))?.[0] ?? '0',
    firstCommandLine: readFileSync('/proc/1/cmdline', 'utf8'),
    address: findAddress(),
    disk: findDisk(base),
    setIdPrograms: setIdProgram === null ? [] : [setIdProgram, join(files.workspace, 'set-id')],
  };
  const resources = opened.move();
  return {
    workspace: files.workspace,
    hidden: ['hidden'],
    marker,
    fixture,
    async readTouched() {
      const sockets = await listener.readHits();
      return [...lookAtFiles(files, marker), ...lookAtProcesses(victim, stopped), ...sockets];
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

type Files = ReturnType<typeof layOutFiles>;

function layOutFiles(base: string, setIdProgram: string | null) {
  const at = (...names: string[]): string => join(base, ...names);
  const files = {
    workspace: at('workspace'),
    outside: at('outside'),
    target: at('outside', 'target'),
    movable: at('outside', 'movable'),
    removable: at('outside', 'removable'),
    base,
    secret: at('home', '.ssh', 'id'),
    cloudKeys: at('home', '.aws', 'credentials'),
    packageToken: at('home', '.cargo', 'credentials.toml'),
    hidden: at('workspace', 'hidden'),
  };
  const secrets = [files.secret, files.cloudKeys, files.packageToken];
  const made = [files.workspace, files.outside, ...secrets.map(dirname)];
  for (const directory of made) mkdirSync(directory, { recursive: true });
  for (const directory of [base, at('home'), ...made]) chmodSync(directory, 0o777);
  mkdirSync(files.movable);
  for (const file of [files.target, files.removable, files.hidden, ...secrets]) {
    writeFileSync(file, original);
    chmodSync(file, 0o666);
  }
  symlinkSync(files.target, join(files.workspace, 'link-to-target'));
  if (setIdProgram !== null && process.getuid?.() === 0) {
    copyFileSync(setIdProgram, join(files.workspace, 'set-id'));
    chmodSync(join(files.workspace, 'set-id'), 0o4755);
  }
  return { ...files, entries: readdirSync(files.workspace).length };
}

const original = 'as it was\n';

function lookAtFiles(files: Files, marker: string): Touched[] {
  const read = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null);
  const found: (Touched | false)[] = [
    readdirSync(files.workspace).length !== files.entries && { what: 'new files', by: ['write-workspace'] },
    existsSync(join(files.outside, 'new')) && { what: 'a new file', by: ['write-outside'] },
    read(files.target) !== original && {
      what: 'a changed file',
      by: ['append-outside', 'truncate-outside', 'hard-link-outside', 'write-through-link'],
    },
    !existsSync(files.movable) && { what: 'a moved directory', by: ['rename-outside'] },
    !existsSync(files.removable) && { what: 'a removed file', by: ['remove-outside'] },
    (statSync(files.target).mode & 0o777) !== 0o666 && { what: 'a changed mode', by: ['change-mode-outside'] },
    takeFile(join('/tmp', marker)) && { what: 'a file in /tmp', by: ['write-temporary'] },
    takeFile(join('/dev/shm', marker)) && { what: 'a file in /dev/shm', by: ['write-shared-memory'] },
  ];
  return found.filter((each) => each !== false);
}

function takeFile(path: string): boolean {
  const isThere = existsSync(path);
  rmSync(path, { force: true });
  return isThere;
}

function lookAtProcesses(victim: ChildProcess, stopped: ChildProcess): Touched[] {
  const found: (Touched | false)[] = [
    (victim.exitCode !== null || victim.signalCode !== null) && { what: 'an ended process', by: ['signal-process'] },
    readState(stopped.pid) !== 'T' && { what: 'a process that goes on', by: ['signal-everybody'] },
  ];
  return found.filter((each) => each !== false);
}

/** Its name and its environment hold the marker. */
function startProcess(marker: string, opened: AsyncDisposableStack): ChildProcess {
  const child = spawn('/bin/sleep', ['600'], {
    argv0: marker,
    env: { PATH: '/usr/bin:/bin', MARKER: marker },
    stdio: 'ignore',
  });
  opened.defer(() => end(child));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function startListener(base: string, marker: string, opened: AsyncDisposableStack) {
  const paths = { socket: join(base, 'socket'), datagramSocket: join(base, 'datagram-socket') };
  const program = join(import.meta.dirname, 'listener.py');
  const child = spawn('/usr/bin/python3', ['-I', program, marker, paths.socket, paths.datagramSocket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  opened.defer(() => end(child));
  const lines = createInterface({ input: child.stdout });
  const [first] = await once(lines, 'line');
  const hits = new Set<string>();
  lines.on('line', (line) => hits.add(line));
  return {
    fixture: { ...Ports.parse(JSON.parse(first)), ...paths, abstract: marker },
    async readHits(): Promise<Touched[]> {
      await end(child);
      return [...hits].map((hit) => ({ what: `a connection (${hit})`, by: socketProbes[hit] ?? [] }));
    },
  };
}

const socketProbes: Readonly<Record<string, readonly string[]>> = {
  tcp: ['connect-loopback', 'connect-host-address'],
  tcp6: ['connect-loopback-6'],
  udp: ['send-datagram', 'ask-name-server'],
  abstract: ['abstract-socket'],
  path: ['path-socket'],
  datagram: ['path-socket-from-pair'],
};

async function untilStopped(child: ChildProcess): Promise<void> {
  const deadline = performance.now() + 5000;
  while (readState(child.pid) !== 'T') {
    if (performance.now() > deadline) throw new Error('a process did not stop');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function readState(pid: number | undefined): string | null {
  try {
    return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1] ?? null;
  } catch {
    return null;
  }
}

/** One that other machines know this one by. */
function findAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

/** The disk that a path lies on. */
function findDisk(path: string): { readonly path: string; readonly number: number } {
  const { dev } = statSync(path);
  const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)];
  const facts = `/sys/dev/block/${major}:${minor}/uevent`;
  const name = existsSync(facts) ? /^DEVNAME=(.+)$/m.exec(readFileSync(facts, 'utf8'))?.[1] : undefined;
  return { path: `/dev/${name ?? 'sda'}`, number: dev };
}
