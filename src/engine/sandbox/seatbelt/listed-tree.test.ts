import { describe, expect, it } from 'vitest';
import { readProgramOutput } from '../../process/read-program-output.ts';
import { startChild } from '../../process/start-child.ts';
import { endTree } from '../end-tree.ts';
import { keepFresh } from './fresh-value.ts';
import { machineProcesses, type ProcessSources } from './list-processes.ts';
import { createListedTree } from './listed-tree.ts';
import { type ListedProcess, parseProcessList, processColumns } from './parse-process-list.ts';

async function startSleep() {
  const started = await startChild({
    argv: ['/bin/sleep', '600'],
    directory: '/',
    environment: {},
    identity: null,
    descriptors: [],
  });
  if (started.kind === 'failed') throw new Error(started.reason);
  return started;
}

function identityOf(pid: number): string {
  const [row] = parseProcessList(readProgramOutput('/bin/ps', ['-o', processColumns, '-p', String(pid)]));
  return row?.identity ?? '';
}

/** A child that ended at once and left somebody behind. */
const ended = { pid: 2 ** 30, isAlive: () => false };
const noMarks: ProcessSources['marks'] = keepFresh(async () => new Map());

describe.skipIf(process.platform === 'win32')('a tree that is told from a list', () => {
  it('finds and ends by its mark who has nothing else in common with the child, and nobody without it', async () => {
    const [orphan, stranger] = [await startSleep(), await startSleep()];
    const found = new Map([
      [identityOf(orphan.pid), 'ours'],
      [identityOf(stranger.pid), 'of another'],
    ]);
    const sources = { ...machineProcesses, marks: keepFresh(async () => found) };
    const survivors = await endTree(createListedTree({ child: ended, mark: 'ours', sources }));
    const wasLeftAlone = stranger.isAlive();
    process.kill(stranger.pid, 'SIGKILL');
    expect([survivors, await orphan.exited, wasLeftAlone]).toEqual([0, { code: null, signal: 'SIGKILL' }, true]);
  });

  it('ends the group of a child that still is there when no list comes, and claims nothing of the rest', async () => {
    const child = await startSleep();
    const sources = { processes: keepFresh<readonly ListedProcess[]>(async () => null), marks: noMarks };
    const survivors = await endTree(createListedTree({ child, mark: 'ours', sources }));
    expect([survivors, await child.exited]).toEqual([null, { code: null, signal: 'SIGKILL' }]);
  });

  it('measures nothing out of a list that is older than the child', async () => {
    const child = await startSleep();
    const tree = createListedTree({
      child,
      mark: 'ours',
      sources: { processes: { latest: () => ({ value: [], askedAtMs: 0 }) }, marks: noMarks },
    });
    expect([tree.measure(), tree.isGone()]).toEqual([null, false]);
    process.kill(-child.pid, 'SIGKILL');
  });
});
