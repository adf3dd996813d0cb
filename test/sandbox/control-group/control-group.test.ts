// Engines that have a control group of their own, as a service manager gives them one: here the test is that manager. What of
// it the kernel can cap depends on the machine.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { toTag } from '../../../src/engine/process/owner-tag.ts';
import { readProcessIdentity } from '../../../src/engine/process/process-identity.ts';
import { sweepLeftovers } from '../../../src/engine/sandbox/leftovers/sweep-leftovers.ts';
import { defaultLimits, type SandboxLimits, type SandboxSpec } from '../../../src/engine/sandbox/sandbox.ts';
import { createTemporaryDirectory } from '../../support/temporary-directory.ts';
import { findSandbox } from '../hostile/find-sandbox.ts';
import { findGrantFault, type GrantedGroup, grantGroup } from './grant-group.ts';

const isRoot = process.geteuid?.() === 0;
const mebi = 1024 ** 2;
const fault = process.platform === 'linux' ? await findGrantFault() : 'this is not Linux';
const needs = fault === null ? 'needs a control group' : `skipped: ${fault}`;
const controllers = fault === null ? await readControllers() : [];
const backends = await findBackends();

async function readControllers(): Promise<readonly string[]> {
  await using group = openGroup();
  return group.controllers;
}

async function findBackends(): Promise<string[]> {
  const works = await Promise.all(
    ['bwrap', 'landlock'].map(async (name) => (typeof (await findSandbox(name)) === 'string' ? [] : name)),
  );
  return works.flat();
}

function openGroup(owner: number | null = null): GrantedGroup {
  const group = grantGroup(owner);
  if (typeof group === 'string') throw new Error(group);
  return group;
}

const Told = z.object({
  claim: z.looseObject({ kind: z.string() }),
  caps: z.record(z.string(), z.string()),
  results: z.array(z.looseObject({ kind: z.string() })),
});

function toSpec(argv: SandboxSpec['argv'], limits: Partial<SandboxLimits> = {}): SandboxSpec {
  const directory = { mode: 'ephemeral', files: [], collect: [] } as const;
  return { argv, directory, environment: {}, limits: { ...defaultLimits, wallMs: 20_000, ...limits } };
}

async function tell(group: GrantedGroup, backend: string, specs: readonly SandboxSpec[], user: number | null = null) {
  const program = join(import.meta.dirname, 'grouped-engine.ts');
  return Told.parse(JSON.parse(await group.run([process.execPath, program, backend, JSON.stringify(specs)], user)));
}

const perl = (program: string) => ['perl', '-e', program] as const;
/** Each ends long before the next look, and nobody waits for it. */
const fleeting = perl(
  '$SIG{CHLD} = "IGNORE"; while (1) { if (!fork) { 1 for 1 .. 1e5; exit } select undef, undef, undef, 0.003 }',
);
/** So many processes at once, itself included. */
const crowd = (count: number) =>
  perl(
    `my @all; for (2 .. ${count}) { my $pid = fork // exit 9; $pid or sleep 600; push @all, $pid } kill KILL => @all`,
  );
const hog = 'my @held; while (1) { push @held, "x" x 1048576 }';

describe.skipIf(fault !== null)(`an engine in a control group of its own (${needs})`, () => {
  it.each(backends)('counts what ends between two looks, and leaves nothing behind (%s)', async (backend) => {
    await using group = openGroup();
    const specs = [toSpec(fleeting, { cpuMs: 500 }), toSpec(perl('kill KILL => $$')), toSpec(perl('exit 3'))];
    const { claim, results } = await tell(group, backend, specs);
    expect({ claim, results, left: group.list() }).toEqual({
      claim: { kind: 'claimed', base: group.path, controllers: expect.any(Array) },
      results: [
        expect.objectContaining({ kind: 'cap', hit: expect.objectContaining({ cap: 'cpu', limit: 500 }) }),
        expect.objectContaining({ kind: 'signal', signal: 'SIGKILL', survivors: 0 }),
        expect.objectContaining({ kind: 'exit', code: 3, survivors: 0 }),
      ],
      left: ['engine'],
    });
  });

  it.skipIf(!controllers.includes('pids')).each(backends)(
    'has the kernel refuse a process too many, and tells that as the cap (%s; needs the controller pids)',
    async (backend) => {
      await using group = openGroup();
      const limits = { processes: 12 };
      const { caps, results } = await tell(group, backend, [toSpec(crowd(12), limits), toSpec(crowd(13), limits)]);
      const hit = { cap: 'processes', limit: 12, observed: 12, unit: 'processes', enforcement: 'kernel' };
      expect([caps.processes, ...results]).toEqual([
        'kernel',
        expect.objectContaining({ kind: 'exit', code: 0 }),
        expect.objectContaining({ kind: 'cap', hit: { ...hit, atMs: expect.any(Number) }, survivors: 0 }),
      ]);
    },
  );

  it.skipIf(!controllers.includes('memory')).each(backends)(
    'has the kernel end what needs too much memory, also where a part of it would go on (%s; needs the controller memory)',
    async (backend) => {
      await using group = openGroup();
      const limits = { memoryBytes: 64 * mebi };
      const { caps, results } = await tell(group, backend, [
        toSpec(perl(hog), limits),
        toSpec(['sh', '-c', `perl -e '${hog}'; exit 0`], limits),
        // What the kernel can take back is none of it.
        toSpec(['sh', '-c', 'head -c 16000000 /dev/zero > f; for i in 1 2 3; do cat f >/dev/null; done'], limits),
      ]);
      const Hit = z.object({ hit: z.object({ observed: z.number() }) });
      const observed = results.slice(0, 2).map((result) => Hit.parse(result).hit.observed);
      expect(Math.max(...observed)).toBeLessThan(1.1 * limits.memoryBytes);
      const hit = expect.objectContaining({ cap: 'memory', limit: limits.memoryBytes, enforcement: 'kernel' });
      expect([caps.memory, ...results]).toEqual([
        'kernel',
        expect.objectContaining({ kind: 'cap', hit, survivors: 0 }),
        expect.objectContaining({ kind: 'cap', hit, survivors: 0 }),
        expect.objectContaining({ kind: 'exit', code: 0 }),
      ]);
    },
  );

  it.runIf(isRoot).each(backends)('may be that of an ordinary user (%s; needs root)', async (backend) => {
    const user = 61_111;
    await using group = openGroup(user);
    const { claim, results } = await tell(group, backend, [toSpec(fleeting, { cpuMs: 500 })], user);
    expect([claim.kind, ...results, group.list()]).toEqual([
      'claimed',
      expect.objectContaining({ kind: 'cap', hit: expect.objectContaining({ cap: 'cpu' }) }),
      ['engine'],
    ]);
  });

  it.each(backends)('takes none that others are in, and runs commands as it does elsewhere (%s)', async (backend) => {
    await using group = openGroup();
    const other = startSleep();
    group.add(other.pid);
    const { claim, results } = await tell(group, backend, [toSpec(perl('exit 3'))]);
    expect([claim, ...results, group.list(), isIn(group.path, other.pid)]).toEqual([
      { kind: 'none', reason: `others run in ${group.path} beside the engine (process ${other.pid})` },
      expect.objectContaining({ kind: 'exit', code: 3 }),
      [],
      true,
    ]);
    await end(other);
  });
});

describe.skipIf(fault !== null)(`the control group of a sandbox whose engine is dead (${needs})`, () => {
  it.each(['by its place alone', 'by the record of the sandbox'])('is found %s, emptied and removed', async (how) => {
    await using group = openGroup();
    using base = createTemporaryDirectory();
    const left = join(group.path, `${deadTag()}.left`);
    const sleeps = fillGroup(left);
    const places = { bases: [base.path], locks: null, controlGroups: how === 'by its place alone' ? group.path : null };
    if (places.controlGroups === null) base.write(`${deadTag()}.1.json`, toRecord(left));
    const report = await sweepLeftovers(AbortSignal.timeout(10_000), places);
    await Promise.all(sleeps.map(end));
    expect([report, group.list()]).toEqual([{ endedProcesses: 2, removedDirectories: 0, left: [] }, []]);
  });

  it('is never one of an engine that lives, or one that no engine made, whatever a record says', async () => {
    await using group = openGroup();
    using base = createTemporaryDirectory();
    const [own, others] = [join(group.path, `${toTag(readProcessIdentity())}.1`), join(group.path, 'others')];
    const sleeps = [...fillGroup(own), ...fillGroup(others)];
    base.write(`${deadTag()}.1.json`, toRecord(own));
    base.write(`${deadTag()}.2.json`, toRecord(others));
    const places = { bases: [base.path], locks: null, controlGroups: group.path };
    const report = await sweepLeftovers(AbortSignal.timeout(10_000), places);
    const running = sleeps.filter(({ pid }) => isIn(own, pid) || isIn(others, pid)).length;
    expect([report.endedProcesses, running]).toEqual([0, 4]);
    await Promise.all(sleeps.map(end));
  });
});

function fillGroup(path: string): (ChildProcess & { readonly pid: number })[] {
  mkdirSync(path);
  return [startSleep(), startSleep()].map((child) => {
    writeFileSync(join(path, 'cgroup.procs'), String(child.pid));
    return child;
  });
}

const toRecord = (controlGroup: string): string =>
  JSON.stringify({ isolation: 'bwrap', uid: null, mark: null, controlGroup });

/** The tag of an engine that has ended. */
function deadTag(): string {
  deadPid ??= spawnSync('/bin/true').pid;
  return toTag({ ...readProcessIdentity(), pid: deadPid });
}

let deadPid: number | undefined;

function startSleep(): ChildProcess & { readonly pid: number } {
  const child = spawn('/bin/sleep', ['600'], { stdio: 'ignore' });
  const { pid } = child;
  if (pid === undefined) throw new Error('sleep could not be started');
  return Object.assign(child, { pid });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function isIn(group: string, pid: number): boolean {
  return existsSync(group) && readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').includes(String(pid));
}
