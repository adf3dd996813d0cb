// Does what a service manager does that hands over a control group: makes one, and starts a program in it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { findOwnGroup } from '../../../src/engine/sandbox/control-group/find-own-group.ts';

export interface GrantedGroup extends AsyncDisposable {
  readonly path: string;
  /** What may be capped in it. */
  readonly controllers: readonly string[];
  /** The names of the groups in it. */
  list(): string[];
  /** A program in it, of the engine's user or of another; resolves with what it wrote when it has ended well. */
  run(argv: readonly [string, ...string[]], user?: number | null): Promise<string>;
  /** Moves a process into it. */
  add(pid: number): void;
}

/** A text is why none can be made here. */
export function grantGroup(owner: number | null = null): GrantedGroup | string {
  const own = findOwnGroup();
  if (own.kind === 'none') return own.reason;
  const path = join(own.path, `io-studio-test-${randomBytes(6).toString('hex')}`);
  try {
    mkdirSync(path);
  } catch (error) {
    return `no control group can be made: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (owner !== null) for (const name of handedOver) chownSync(join(path, name), owner, owner);
  return {
    path,
    controllers: readFileSync(join(path, 'cgroup.controllers'), 'utf8').trim().split(' '),
    list: () => listGroups(path),
    run: (argv, user = null) => run(path, argv, user),
    add: (pid) => writeFileSync(join(path, 'cgroup.procs'), String(pid)),
    [Symbol.asyncDispose]: () => remove(path),
  };
}

/** Whether it can be done here; else why not. */
export async function findGrantFault(): Promise<string | null> {
  const group = grantGroup();
  if (typeof group === 'string') return group;
  await group[Symbol.asyncDispose]();
  return null;
}

const handedOver = ['', 'cgroup.procs', 'cgroup.subtree_control', 'cgroup.threads'];

async function run(path: string, argv: readonly [string, ...string[]], user: number | null): Promise<string> {
  const join = 'echo $$ > "$0"/cgroup.procs && exec "$@"';
  const as = user === null ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'];
  const child = spawn('/bin/sh', ['-c', join, path, ...as, ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`);
  return output;
}

function listGroups(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
}

/** What has just ended may hold it for a moment. */
async function remove(path: string): Promise<void> {
  writeFileSync(join(path, 'cgroup.kill'), '1');
  for (const name of listGroups(path)) await remove(join(path, name));
  for (;;) {
    try {
      return rmdirSync(path);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EBUSY')) throw error;
    }
    await wait(5);
  }
}
