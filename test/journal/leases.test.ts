// Who drives a run, told by processes that cannot see each other's pids.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import type { Journal, LeaseOwner } from '../../src/engine/journal/journal.ts';
import { journalWorkerUrl } from '../../src/engine/journal/journal-worker-url.ts';
import { openJournal } from '../../src/engine/journal/open-journal.ts';
import { RunId } from '../../src/shared/id.ts';
import { createTemporaryHome, startSampleRun } from './journal-samples.ts';

const program = join(import.meta.dirname, '../fixtures/lease-holder.ts');
/** As in a container: what is started is the first process of a pid namespace. */
const namespaced = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
const hasNamespaces = spawnSync(namespaced[0] ?? '', [...namespaced.slice(1), 'true']).status === 0;

interface Holder extends AsyncDisposable {
  readonly runId: RunId;
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
}

async function hold(home: string, wrapper: readonly string[] = []): Promise<Holder> {
  const [file = '', ...args] = [...wrapper, process.execPath, program, home];
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = await once(createInterface(child.stdout), 'line');
  return {
    runId: RunId.parse(line),
    child,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function openHome() {
  const home = createTemporaryHome();
  const journal = await openJournal({ home: home.path, workerUrl: journalWorkerUrl() });
  return {
    journal,
    home: home.path,
    async [Symbol.asyncDispose]() {
      await journal.close();
      home[Symbol.dispose]();
    },
  };
}

function ownerOf({ reader }: Journal, runId: RunId): LeaseOwner {
  const owner = reader.readOwner(runId);
  if (owner === null) throw new Error('Nobody has it');
  return owner;
}

const readSigns = (home: string): string[] => readdirSync(join(home, 'owners'));

describe.runIf(hasNamespaces)('a driver in another pid namespace (needs namespaces)', () => {
  it('is seen to live while it does, also suspended, and to be dead once it is killed', async () => {
    await using opened = await openHome();
    const { journal, home } = opened;
    await using holder = await hold(home, namespaced);
    const owner = ownerOf(journal, holder.runId);
    const life = { alive: true, certain: true, why: 'its owner in another pid namespace is at work' };
    expect(journal.reader.readOwnerLife(owner)).toEqual(life);
    const pid = findPid(holder.runId, home);
    process.kill(pid, 'SIGSTOP');
    expect(await journal.writer.takeLease(holder.runId)).toEqual({ kind: 'held', owner, why: life.why });
    process.kill(pid, 'SIGKILL');
    await holder.ended;
    expect(journal.reader.readOwnerLife(owner)).toEqual({
      alive: false,
      certain: true,
      why: 'its owner in another pid namespace has ended',
    });
    expect(await journal.writer.takeLease(holder.runId)).toEqual({ kind: 'dead', owner });
    expect(await journal.writer.takeLease(holder.runId, owner)).toMatchObject({ kind: 'taken' });
  });

  it('is presumed alive when its sign of life is not there to be tested', async () => {
    await using opened = await openHome();
    const { journal, home } = opened;
    await using holder = await hold(home, namespaced);
    const owner = { ...ownerOf(journal, holder.runId), liveness: '' };
    const lives = ['', '../journal.db', '00000000-0000-0000-0000-000000000000'].map((liveness) =>
      journal.reader.readOwnerLife({ ...owner, liveness }),
    );
    expect(lives).toEqual(
      lives.map(() => ({ alive: true, certain: false, why: 'its owner is in another pid namespace' })),
    );
  });
});

describe('the sign of life of a driver', () => {
  it('goes with a driver that ends in good order', async () => {
    await using opened = await openHome();
    await using holder = await hold(opened.home);
    const during = readSigns(opened.home);
    holder.child.stdin?.end();
    await holder.ended;
    expect([during.length, readSigns(opened.home)]).toEqual([1, []]);
  });

  it('of a killed driver stays while a lease names it, and is cleared away by the next driver after that', async () => {
    await using opened = await openHome();
    const { journal, home } = opened;
    await using holder = await hold(home);
    const owner = ownerOf(journal, holder.runId);
    holder.child.kill('SIGKILL');
    await holder.ended;
    await startSampleRun(journal.writer);
    const own = readSigns(home).filter((name) => name !== owner.liveness);
    expect([readSigns(home).length, own.length]).toEqual([2, 1]);
    await journal.writer.takeLease(holder.runId, owner);
    await using next = await hold(home);
    expect(readSigns(home).sort()).toEqual([...own, ownerOf(journal, next.runId).liveness].sort());
  });

  it('is one for all runs of a process, and nothing else that lies beside it is touched', async () => {
    await using opened = await openHome();
    const { journal, home } = opened;
    const leases = [await startSampleRun(journal.writer), await startSampleRun(journal.writer)];
    writeFileSync(join(home, 'owners', 'notes'), 'kept');
    await using holder = await hold(home);
    const names = leases.map(({ runId }) => ownerOf(journal, runId).liveness);
    expect(new Set(names).size).toBe(1);
    expect(readSigns(home).sort()).toEqual(
      [...new Set(names), ownerOf(journal, holder.runId).liveness, 'notes'].sort(),
    );
  });
});

/** The pid from here of the process that its own namespace knows under another one. */
function findPid(runId: RunId, home: string): number {
  const found = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isHolder(Number(name), home));
  if (found === undefined) throw new Error(`Nobody holds ${runId}`);
  return Number(found);
}

function isHolder(pid: number, home: string): boolean {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return words[0] === process.execPath && words.includes(home);
  } catch {
    return false;
  }
}
