import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { treeVariable } from './process-index.ts';
import { readProcessTable } from './process-table.ts';
import { followProcessTree, type ProcessTree } from './process-tree.ts';
import { settlesWithin } from './settles-within.ts';
import { type StartedChild, startChild } from './start-child.ts';

interface Followed {
  readonly mark: string;
  readonly child: StartedChild;
  readonly tree: ProcessTree;
  readonly lines: readonly string[];
}

/** The tree of a shell that has written so many lines. */
async function follow(line: string, count = 1): Promise<Followed> {
  const mark = randomUUID();
  const environment = { PATH: '/usr/bin:/bin', [treeVariable]: mark };
  const argv = ['/bin/sh', '-c', line] as const;
  const child = await startChild({ argv, directory: '/', environment, identity: null, descriptors: [] });
  if (child.kind === 'failed') throw new Error(child.reason);
  const tree = followProcessTree({ pid: child.pid, isAlive: child.isAlive, mark, uid: null });
  const lines = await readLines(child, count);
  return { mark, child, tree, lines };
}

function readLines({ stdout }: StartedChild, count: number): Promise<string[]> {
  return new Promise((resolve) => {
    let text = '';
    stdout.on('data', (chunk) => {
      text += String(chunk);
      const lines = text.split('\n').slice(0, -1);
      if (lines.length === count) resolve(lines);
    });
  });
}

/** Kills until nobody is left, and looks for the mark by itself. */
async function end({ mark, child, tree }: Followed): Promise<number[]> {
  for (let tries = 0; tries < 200 && tree.isRunning(); tries++) {
    tree.kill();
    await settlesWithin(child.closed, 5);
  }
  child.release();
  return findMarked(mark);
}

function findMarked(mark: string): number[] {
  const running = readProcessTable().filter((row) => !row.ended);
  return running.map(({ pid }) => pid).filter((pid) => readOrEmpty(`/proc/${pid}/environ`).includes(mark));
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

describe.runIf(process.platform === 'linux')('the tree of a child (needs /proc)', () => {
  it('has its children, those that left the group, and those whose parents are gone', async () => {
    const child = 'sh -c "echo \\$\\$; exec sleep 5001"';
    const followed = await follow(`${child} & setsid ${child} & (setsid ${child} &); echo orphaned; wait`, 4);
    const pids = followed.lines.filter((line) => line !== 'orphaned').map(Number);
    const members = new Set(followed.tree.members().map(({ pid }) => pid));
    const missed = pids.filter((pid) => !members.has(pid));
    expect({ started: pids.length, missed, left: await end(followed) }).toEqual({ started: 3, missed: [], left: [] });
  });

  it('has a child that was started after everybody else looked', async () => {
    const one = await follow('echo up; exec sleep 5002');
    one.tree.members();
    const other = await follow('echo up; exec sleep 5002');
    const pids = [one, other].map(({ tree }) => tree.members(60_000).map((row) => row.pid));
    const left = [await end(one), await end(other)];
    expect({ pids, left }).toEqual({ pids: [[one.child.pid], [other.child.pid]], left: [[], []] });
  });

  it('is ended although it forks all the time', async () => {
    const bomb = '(i=0; while [ $i -lt 400 ]; do i=$((i+1)); (sleep 5003 & setsid sleep 5003 &); done)';
    expect(await end(await follow(`${bomb} & ${bomb} & echo up; wait`))).toEqual([]);
  });

  it('can be ended again when nothing is left of it', async () => {
    const followed = await follow('echo up; exec sleep 5004');
    const left = await end(followed);
    followed.tree.kill();
    expect({ left, members: followed.tree.members() }).toEqual({ left: [], members: [] });
  });
});
