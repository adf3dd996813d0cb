// What a sandboxed `true` adds to a step, in a repository of many files and in one of few, and what it costs to take over
// what a command has changed. Prints the medians.
import { strict as assert } from 'node:assert';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Backend } from '../../src/engine/sandbox/launch.ts';
import {
  defaultLimits,
  type Leavings,
  type SandboxDirectory,
  type SandboxSpec,
} from '../../src/engine/sandbox/sandbox.ts';
import { findBackend } from '../support/find-backend.ts';
import { openRepository, type Repository } from '../support/open-repository.ts';
import { openScratch } from '../support/scratch.ts';
import { median } from '../support/statistics.ts';
import { takeTurns } from '../support/take-turns.ts';
import { timeLaunch } from '../support/time-launch.ts';
import { timePlain } from '../support/time-plain.ts';

const rounds = 20;
/** How many files are changed, and how often. */
const changes = [
  { count: 1, rounds: 5 },
  { count: 100, rounds: 2 },
  { count: 1000, rounds: 1 },
];
const unwanted = new AbortController().signal;

const backend = await findBackend('bwrap');
process.stdout.write(JSON.stringify(backend === null ? null : await measure(backend)));

async function measure(backend: Backend) {
  using scratch = openScratch();
  const many = await openRepository({ path: join(scratch.path, 'many'), files: 10_000, backend });
  const few = await openRepository({ path: join(scratch.path, 'few'), files: 100, backend });
  const firstHidden = { many: await time(() => findHidden(many)), few: await time(() => findHidden(few)) };
  const steps = await takeTurns(rounds, {
    bare: () => timePlain(['/bin/true']),
    bound: () => time(() => runBound(backend, many)),
    stagedMany: () => time(() => runStaged(many)),
    stagedFew: () => time(() => runStaged(few)),
    laterHiddenMany: () => time(() => findHidden(many)),
    laterHiddenFew: () => time(() => findHidden(few)),
  });
  const walk = await time(async () => lookAtAll(many.path));
  const copy = await timePlain(['/bin/cp', '-a', many.path, join(scratch.path, 'copy')]);
  const changed = [];
  for (const change of changes) changed.push(await measureChanges(backend, many, change));
  for (const { guard } of [many, few]) guard.close();
  return { firstHidden, ...steps, walk, copy, changed };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

function findHidden({ guard, stance }: Repository): Promise<readonly string[]> {
  return guard.hidden(stance);
}

/** The whole way of a command that an agent gives: judged, looked at what it must not see, run, its changes collected. */
async function runStaged({ guard, stance }: Repository): Promise<void> {
  const options = { command: { argv: ['true'] }, wallMs: 60_000, permitted: 'ask' } as const;
  const end = await guard.commands(stance).run(options, unwanted);
  assert.ok(end.kind === 'ran' && end.result.kind === 'exit', JSON.stringify(end));
  assert.deepEqual(end.result.leavings, { kind: 'changes', changes: [], lost: [] });
}

async function runBound(backend: Backend, repository: Repository): Promise<void> {
  const directory = { mode: 'bound', workspace: repository.path, hidden: await findHidden(repository) } as const;
  const { result } = await run(backend, directory, ['true']);
  assert.deepEqual(result.leavings, { kind: 'nothing' });
}

async function run(backend: Backend, directory: SandboxDirectory, argv: SandboxSpec['argv']) {
  const timed = await timeLaunch(backend, { argv, directory, environment: {}, limits: defaultLimits });
  assert.ok(timed.result.kind === 'exit' && timed.result.code === 0, JSON.stringify(timed.result));
  return timed;
}

function lookAtAll(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    lstatSync(path);
    if (entry.isDirectory()) lookAtAll(path);
  }
}

/** `collect`: what the sandbox hands over is read and compared. `make`: each is judged once more and made in the workspace. */
async function measureChanges(backend: Backend, repository: Repository, { count, rounds }: (typeof changes)[number]) {
  const directory = { mode: 'staged', workspace: repository.path, hidden: await findHidden(repository) } as const;
  const line = `mkdir new; i=0; while [ $i -lt ${count} ]; do echo "line $i" > new/$i; i=$((i + 1)); done`;
  const taken: { readonly collect: number; readonly make: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const { result, at } = await run(backend, directory, ['sh', '-c', line]);
    const make = await time(() => makeChanges(repository, result.leavings, count + 1));
    rmSync(join(repository.path, 'new'), { recursive: true });
    taken.push({ collect: at.collected - at.ended, make });
  }
  const [collect, make] = [taken.map((each) => each.collect), taken.map((each) => each.make)].map(median);
  return { count, collect, make };
}

async function makeChanges({ guard, stance }: Repository, leavings: Leavings, expected: number): Promise<void> {
  assert.ok(leavings.kind === 'changes' && leavings.changes.length === expected);
  for (const change of leavings.changes) {
    assert.deepEqual(await guard.change(change, { permitted: 'ask' }, stance), { kind: 'made' });
  }
}
