import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { clockTicksPerSecond, pageBytes } from '../process/kernel-units.ts';
import type { ProcessRow } from '../process/process-table.ts';
import { createProcessMeter } from './measure-processes.ts';

const nobody = 2 ** 30;

/** A directory like /proc of a kernel that does not say what is shared. */
function makeProc(...pids: readonly number[]): string {
  const proc = mkdtempSync(`${tmpdir()}/io-studio-proc-`);
  onTestFinished(() => rmSync(proc, { recursive: true }));
  for (const pid of pids) mkdirSync(`${proc}/${pid}`);
  return proc;
}

function row(pid: number, seen: Partial<ProcessRow> = {}): ProcessRow {
  const none = {
    startTime: 1,
    residentPages: 0,
    threads: 1,
    hasMemory: true,
    ownTicks: 0,
    childTicks: 0,
    ended: false,
  };
  return { pid, parentPid: 1, groupId: 1, ...none, ...seen };
}

describe('what processes use together', () => {
  const cpuTicks = (looks: readonly (readonly ProcessRow[])[]): number => {
    const meter = createProcessMeter();
    return ((looks.map((rows) => meter.measure(rows)).at(-1)?.cpuMs ?? 0) * clockTicksPerSecond()) / 1000;
  };

  it.each([
    ['what children used that were waited for', [[row(1, { ownTicks: 5, childTicks: 40 })]], 45],
    [
      'what those used that nobody waited for',
      [[row(1), row(2, { ownTicks: 30 })], [row(1)], [row(1, { ownTicks: 1 })]],
      31,
    ],
    [
      'it once where its parent did wait for it',
      [[row(1), row(2, { ownTicks: 30 })], [row(1, { childTicks: 31 })]],
      31,
    ],
    [
      'what a process with a used number has used',
      [[row(1, { ownTicks: 9 })], [row(1, { startTime: 2, ownTicks: 1 })]],
      10,
    ],
    ['what has ended and was not waited for', [[row(1, { ownTicks: 7, ended: true })]], 7],
    ['never less than before', [[row(1, { ownTicks: 2, childTicks: 40 })], [row(2, { ownTicks: 1 })]], 42],
  ])('has in its processor time %s', (_title, looks, ticks) => {
    expect(cpuTicks(looks)).toBe(ticks);
  });

  it('counts threads, and memory of those alone that run', () => {
    const rows = [row(nobody, { residentPages: 3, threads: 4 }), row(nobody + 1, { residentPages: 5, ended: true })];
    const { processes, memoryUpperBytes, exactMemoryBytes } = createProcessMeter(makeProc(nobody)).measure(rows);
    expect({ processes, memoryUpperBytes, exact: exactMemoryBytes(0) }).toEqual({
      processes: 4,
      memoryUpperBytes: 3 * pageBytes(),
      exact: 3 * pageBytes(),
    });
  });

  it('is at least what the largest holds alone, and read no further once that is enough', () => {
    const { exactMemoryBytes } = createProcessMeter(makeProc(nobody, nobody + 1, nobody + 2)).measure([
      row(nobody, { residentPages: 3 }),
      row(nobody + 1, { residentPages: 2 }),
      row(nobody + 2, { residentPages: 4 }),
    ]);
    const pages = (enough: number): number => exactMemoryBytes(enough * pageBytes()) / pageBytes();
    expect([pages(3), pages(4), pages(8), pages(9)]).toEqual([4, 5, 9, 9]);
  });

  it('does not count what has ended since it was listed', () => {
    const rows = [row(nobody, { residentPages: 3 }), row(nobody + 1, { residentPages: 3 })];
    expect(
      createProcessMeter(makeProc(nobody))
        .measure(rows)
        .exactMemoryBytes(5 * pageBytes()),
    ).toBe(3 * pageBytes());
  });

  it.runIf(process.platform === 'linux')('is measured also where no descriptor is left (needs Linux)', async () => {
    const script = `
      import { openSync } from 'node:fs';
      import { createProcessMeter } from '${import.meta.dirname}/measure-processes.ts';
      try { for (;;) openSync('/dev/null'); } catch {}
      const row = { pid: process.pid, startTime: 1, residentPages: 3, threads: 1, hasMemory: true };
      const { memoryUpperBytes, exactMemoryBytes } = createProcessMeter().measure([row, { ...row, startTime: 2 }]);
      console.log(exactMemoryBytes(Infinity) === memoryUpperBytes);`;
    const limited = 'ulimit -n 64; exec "$0" --input-type=module -e "$1"';
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', limited, process.execPath, script]);
    expect(stdout).toBe('true\n');
  });
});
