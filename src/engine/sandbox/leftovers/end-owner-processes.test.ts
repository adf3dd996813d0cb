import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toTag } from '../../process/owner-tag.ts';
import { readProcessIdentity, readProcessState } from '../../process/process-identity.ts';
import { type DeadOwner, endOwnerProcesses } from './end-owner-processes.ts';

const isRoot = process.platform === 'linux' && process.geteuid?.() === 0;
const uid = process.geteuid?.() ?? 'user';
const nobody = 65_534;

let temporary = '';
const children: ChildProcess[] = [];
beforeEach(() => {
  temporary = realpathSync(mkdtempSync(join(tmpdir(), 'end-owner-')));
  chmodSync(temporary, 0o755);
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  rmSync(temporary, { recursive: true, force: true });
});

/** An engine that has ended, and whose directory for temporary files was another than this process's. */
function createDeadOwner(change: Partial<DeadOwner> = {}): DeadOwner {
  const { pid } = spawnSync(process.execPath, ['--version']);
  return { ...readProcessIdentity(), pid, temporary, ...change };
}

function startSleep(): ChildProcess & { readonly pid: number } {
  const child = spawn('/bin/sleep', ['60'], { stdio: 'ignore' });
  children.push(child);
  const { pid } = child;
  if (pid === undefined) throw new Error('sleep could not be started');
  return Object.assign(child, { pid });
}

/** Writes down, as the engine would have done, that it started this process. */
function record(owner: DeadOwner, pid: number, baseOf: number | string = uid): void {
  const base = join(temporary, `io-studio-${baseOf}`);
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const lines = [
    { isolation: 'none', uid: null, mark: null, controlGroup: null },
    { pid, startTime: readProcessState(pid)?.startTime },
  ];
  writeFileSync(join(base, `${toTag(owner)}.1.json`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

describe('what a dead driver has left running', () => {
  it('is ended, also where it was written down below another TMPDIR, and nothing of anybody else', async () => {
    const [left, bystander] = [startSleep(), startSleep()];
    const owner = createDeadOwner();
    record(owner, left.pid);
    record({ ...owner, pid: process.pid }, bystander.pid);
    const ended = once(left, 'exit');
    expect(await endOwnerProcesses(owner)).toEqual({ kind: 'ended' });
    await ended;
    expect([left.signalCode, bystander.signalCode, bystander.exitCode]).toEqual(['SIGKILL', null, null]);
  });

  it('is nothing when the machine was restarted since: what has its numbers now is somebody else', async () => {
    const bystander = startSleep();
    const owner = createDeadOwner({ bootId: 'before' });
    record(owner, bystander.pid);
    expect(await endOwnerProcesses(owner)).toEqual({ kind: 'ended' });
    expect(bystander.signalCode).toBeNull();
  });

  it('cannot be seen from another pid namespace, unless its end was that of the whole namespace', async () => {
    const owner = createDeadOwner({ pidNamespace: 'other' });
    expect(await endOwnerProcesses(owner)).toEqual({ kind: 'unseen' });
    expect(await endOwnerProcesses({ ...owner, pid: 1 })).toEqual({ kind: 'ended' });
  });

  it.runIf(isRoot)('is named when it cannot be ended: it runs as another user (needs root)', () => {
    const survivor = startSleep();
    const owner = createDeadOwner();
    record(owner, survivor.pid, nobody);
    spawnSync('/bin/chown', ['-R', String(nobody), join(temporary, `io-studio-${nobody}`)]);
    const script = `
      import { endOwnerProcesses } from '${import.meta.dirname}/end-owner-processes.ts';
      console.log(JSON.stringify(await endOwnerProcesses(${JSON.stringify(owner)})));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      uid: nobody,
      gid: nobody,
      cwd: '/',
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toEqual({ kind: 'survivors', pids: [survivor.pid] });
  });
});
